import type { CatalogueAction } from '../action.ts';
import { isCode, type UntrustedText } from '../untrusted/untrusted-text.ts';

/** A file's name as shown to a model. */
export interface ShownFileName {
  readonly name: string;
  /** The institution's name for it. */
  readonly original_name?: UntrustedText;
}

const EXTENSION = /\.[A-Za-z0-9]{1,5}$/;
const ONLY_EXTENSION = /^\.[A-Za-z0-9]{1,5}$/;
/** What a connector adds to the task and the day, perhaps from a page, and the extension. */
const ADDED = /_\d{8}(?:_([^.]*))?(\..*)$/s;

/**
 * Names that we chose are shown unchanged. A file that an institution named, wholly or in part, is shown by its number,
 * with its name marked as untrusted like any other text of the institution.
 * @param action undefined when unknown, in which case the name may be anyone's
 * @param show how a reader sees such a name
 */
export function shownFileName(
  name: string,
  number: number,
  action: Pick<CatalogueAction, 'file'> | undefined,
  show: (text: string) => string,
): ShownFileName {
  if (action !== undefined && action.file?.format !== 'any' && isOurs(name)) return { name };
  const [extension = ''] = EXTENSION.exec(name) ?? [];
  return {
    name: `file-${number}${extension.toLowerCase()}`,
    original_name: { untrusted_text: show(name) },
  };
}

function isOurs(name: string): boolean {
  const [added, qualifier = '', extension = ''] = ADDED.exec(name) ?? [];
  return added === undefined || (isCode(qualifier) && ONLY_EXTENSION.test(extension));
}
