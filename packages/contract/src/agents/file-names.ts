import type { CatalogueAction } from '../action.ts';
import type { UntrustedText } from '../untrusted-text.ts';

/** What a model gets to see of a file's name. */
export interface ShownFileName {
  readonly name: string;
  /** What the institution called it. */
  readonly original_name?: UntrustedText;
}

const EXTENSION = /\.[A-Za-z0-9]{1,5}$/;

/**
 * Names of our own are shown as they are. A file that an institution named goes by its number, and its name is marked:
 * it is as foreign as any other words of the institution.
 * @param action undefined where it is not known, so that the name may be anybody's
 * @param show what a reader gets to see of such a name
 */
export function shownFileName(
  name: string,
  number: number,
  action: Pick<CatalogueAction, 'file'> | undefined,
  show: (text: string) => string,
): ShownFileName {
  if (action !== undefined && action.file?.format !== 'any') return { name };
  const [extension = ''] = EXTENSION.exec(name) ?? [];
  return {
    name: `file-${number}${extension.toLowerCase()}`,
    original_name: { untrusted_text: show(name) },
  };
}
