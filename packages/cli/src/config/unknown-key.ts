import { type CliError, usageError } from '../cli-error.ts';
import { didYouMean } from '../texts/did-you-mean.ts';
import type { Texts } from '../texts/ko.ts';

/** A usage error that names the file, the key with where it stands, and the nearest of the known ones. */
export async function unknownKey(
  { file, table = '', key }: { file: string; table?: string; key: string },
  known: readonly string[],
  texts: Texts,
): Promise<CliError> {
  return usageError(
    texts.config.unknownKey(file, `${table}${key}`),
    ...(await didYouMean(key, known, texts)),
  );
}
