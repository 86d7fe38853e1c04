import type { EncryptionKeySet } from '@changgu/sdk';
import { encryptFields } from '@changgu/sdk/encrypt';
import type { Cli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import { parsePair } from '../../input/pair.ts';
import { InputReader } from '../../input/read-input.ts';

export interface EncryptOptions {
  /** JWKS as a file; without it the service is asked. */
  readonly key?: string | undefined;
  /** `name=@file` or `name=@-`, each its own value; without any, standard input is the one value. */
  readonly field?: readonly string[] | undefined;
}

/** Encrypts for `encrypted_fields`, byte for byte: what comes in is what the institution gets. */
export async function encrypt(cli: Cli, { key, field }: EncryptOptions): Promise<undefined> {
  const reader = new InputReader(cli.io, cli.texts);
  const values: Record<string, Uint8Array> = {};
  for (const text of field ?? ['value=@-']) {
    const [name, source] = parsePair(text, cli.texts);
    if (!source.startsWith('@')) throw usageError(cli.texts.input.plainSecret(name));
    values[name] = await reader.bytes(source, `--field ${name}`);
  }
  const encrypted = await encryptFields(await readKeys(cli, key), values);
  if (field) await cli.output.document(encrypted);
  else await cli.output.text(`${encrypted.value ?? ''}\n`);
}

async function readKeys(cli: Cli, file: string | undefined): Promise<EncryptionKeySet> {
  if (file === undefined) return (await cli.client('any')).encryptionKeys.get(cli.call);
  const reader = new InputReader(cli.io, cli.texts);
  const jwks = await reader.jsonObject(`@${file.replace(/^@/, '')}`, '--key');
  if (!Array.isArray(jwks.keys)) throw usageError(cli.texts.input.notObject('--key'));
  // The encryption refuses keys that are not what it needs.
  return { keys: jwks.keys };
}
