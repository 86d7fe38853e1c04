import { type CliError, usageError } from '../cli-error.ts';
import type { Texts } from '../texts/ko.ts';

/** A usage error that names the nearest field, and all of them. */
export async function unknownField(
  unknown: string,
  names: readonly string[],
  texts: Texts,
): Promise<CliError> {
  const { nearest } = await import('@changgu/sdk/catalogue');
  const meant = nearest(unknown, names);
  return usageError(
    texts.output.unknownField(unknown),
    ...(meant === null ? [] : [texts.didYouMean(meant)]),
    texts.output.fields(names.join(', ')),
  );
}
