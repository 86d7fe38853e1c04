import type { Cli } from '../cli.ts';
import { usageError } from '../cli-error.ts';
import type { Language, Text } from '../language.ts';
import { didYouMean } from '../texts/did-you-mean.ts';
import type { Texts } from '../texts/ko.ts';
import { eachOnce } from './pair.ts';
import { askSecret } from './prompt.ts';
import { type InputReader, withoutLastLineBreak } from './read-input.ts';

/** Encrypted fields, with the labels for prompting. */
export type SecretFields = Readonly<Record<string, Text>>;

/**
 * Secrets from `--secret name=@-`, `name=@file`, or `name` alone, which prompts. A literal value is refused,
 * because every user of the machine can read command lines.
 * @param fields null when unknown here
 */
export async function readSecrets(
  cli: Cli,
  given: readonly string[] | undefined,
  reader: InputReader,
  fields: SecretFields | null,
): Promise<Record<string, string>> {
  const { texts, language } = cli;
  const secrets: Record<string, string> = {};
  const sources = (given ?? []).map((text) => {
    const at = text.indexOf('=');
    return at === -1 ? ([text, null] as const) : ([text.slice(0, at), text.slice(at + 1)] as const);
  });
  const names = sources.map(([name]) => name);
  eachOnce(names, texts);
  for (const [name, source] of sources) {
    if (fields) await checkName(fields, name, texts);
    if (source !== null && !source.startsWith('@')) {
      throw usageError(texts.input.plainSecret(name), texts.input.secretForms(name));
    }
    const secret =
      source === null
        ? await askSecret(cli, question(fields, name, language), `--secret ${name}=@-`)
        : withoutLastLineBreak(await reader.text(source, `--secret ${name}`));
    if (secret === '') throw usageError(texts.input.emptyValue(`--secret ${name}`));
    secrets[name] = secret;
  }
  return secrets;
}

/** Labeled for people, with the option's name for scripts. */
function question(fields: SecretFields | null, name: string, language: Language): string {
  const title = fields?.[name]?.[language];
  return title === undefined ? name : `${title} (${name})`;
}

async function checkName(fields: SecretFields, name: string, texts: Texts): Promise<void> {
  if (Object.hasOwn(fields, name)) return;
  const names = Object.keys(fields);
  throw usageError(
    texts.input.unknownSecret(name),
    ...(await didYouMean(name, names, texts)),
    ...(names.length === 0 ? [] : [texts.input.knownSecrets(names.join(', '))]),
  );
}
