import { type CliError, usageError } from '../cli-error.ts';
import { didYouMean } from '../texts/did-you-mean.ts';
import type { Texts } from '../texts/ko.ts';

/** A usage error that names the nearest field, and all of them. */
export async function unknownField(
  unknown: string,
  names: readonly string[],
  texts: Texts,
): Promise<CliError> {
  return usageError(
    texts.output.unknownField(unknown),
    ...(await didYouMean(unknown, names, texts)),
    texts.output.fields(names.join(', ')),
  );
}
