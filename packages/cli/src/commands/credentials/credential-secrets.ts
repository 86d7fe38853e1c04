import type { Cli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import type { InputReader } from '../../input/read-input.ts';
import { readSecrets } from '../../input/read-secrets.ts';

/** The named secrets of a credential: from `--secret name=@…` where given, else asked for. */
export async function credentialSecrets<Name extends string>(
  cli: Cli,
  names: readonly Name[],
  given: readonly string[] = [],
  reader: InputReader,
): Promise<Record<Name, string>> {
  const { input } = cli.texts;
  const givenNames = given.map((text) => text.split('=', 1)[0]);
  const unknown = givenNames.find((name) => !names.some((known) => known === name));
  if (unknown !== undefined) {
    throw usageError(input.unknownSecret(unknown), input.knownSecrets(names.join(', ')));
  }
  const missing = names.filter((name) => !givenNames.includes(name));
  const secrets = await readSecrets(null, [...given, ...missing], reader, cli, cli.texts);
  // Every name was given or asked for.
  return secrets as Record<Name, string>;
}
