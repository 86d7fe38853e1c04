import type { CatalogueAction } from '@changgu/sdk/catalogue';
import { nearest } from '@changgu/sdk/catalogue';
import { usageError } from '../cli-error.ts';
import type { Texts } from '../texts/ko.ts';
import { type Asker, askSecret } from './prompt.ts';
import { type InputReader, withoutLastLineBreak } from './read-input.ts';

/**
 * Secrets from `--secret name=@-`, `name=@file`, or `name` alone, which asks for it. A value in place is refused:
 * every user of the machine can read command lines.
 */
export async function readSecrets(
  action: CatalogueAction | null,
  given: readonly string[] | undefined,
  reader: InputReader,
  asker: Asker,
  texts: Texts,
): Promise<Record<string, string>> {
  const secrets: Record<string, string> = {};
  for (const text of given ?? []) {
    const at = text.indexOf('=');
    const name = at === -1 ? text : text.slice(0, at);
    const source = at === -1 ? null : text.slice(at + 1);
    if (action) checkName(action, name, texts);
    if (source !== null && !source.startsWith('@')) {
      throw usageError(texts.input.plainSecret(name), texts.input.secretForms(name));
    }
    secrets[name] =
      source === null
        ? await askSecret(asker, texts.input.askSecret(name), `--secret ${name}=@-`)
        : withoutLastLineBreak(await reader.text(source, `--secret ${name}`));
  }
  return secrets;
}

function checkName({ encryptedFields }: CatalogueAction, name: string, texts: Texts): void {
  if (Object.hasOwn(encryptedFields, name)) return;
  const names = Object.keys(encryptedFields);
  const meant = nearest(name, names);
  throw usageError(
    texts.input.unknownSecret(name),
    ...(meant === null ? [] : [texts.didYouMean(meant)]),
    ...(names.length === 0 ? [] : [texts.input.knownSecrets(names.join(', '))]),
  );
}
