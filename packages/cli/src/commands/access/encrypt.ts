import type { EncryptionKeySet } from '@changgu/sdk';
import { encryptFields } from '@changgu/sdk/encrypt';
import type { Cli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import { reads } from '../../command.ts';
import { parsePairs } from '../../input/pair.ts';
import { InputReader, withoutLastLineBreak } from '../../input/read-input.ts';
import type { Shape } from '../../output/shape.ts';

export interface EncryptOptions {
  /** A JWKS file; by default the service is asked. */
  readonly key?: string | undefined;
  /** `name=@file` or `name=@-`, one value each; without any, standard input is the only value. */
  readonly field?: readonly string[] | undefined;
  /** Encrypts every byte, including a trailing line break. */
  readonly binary?: true | undefined;
}

const VALUE: Shape = { fields: ['value'], columns: ['value'], id: 'value' };

/** Encrypts for `encrypted_fields`, as `--secret` does. */
export const encrypt = reads<[options: EncryptOptions]>(
  (_, { field }) => (field ? 'document' : VALUE),
  async (cli, { key, field, binary = false }) => {
    const reader = new InputReader(cli.io, cli.texts);
    const values: Record<string, Uint8Array | string> = {};
    for (const [name, source] of parsePairs(field ?? ['value=@-'], cli.texts)) {
      const option = field ? `--field ${name}` : 'encrypt';
      if (!source.startsWith('@')) throw usageError(cli.texts.input.plainSecret(name));
      const value = binary
        ? await reader.bytes(source, option)
        : withoutLastLineBreak(await reader.text(source, option));
      if (value.length === 0) throw usageError(cli.texts.input.emptyValue(option));
      values[name] = value;
    }
    const encrypted = await encryptFields(await readKeys(cli, key), values);
    if (field) await cli.output.document(encrypted);
    else await cli.output.value(encrypted, VALUE);
    return undefined;
  },
);

async function readKeys(cli: Cli, file: string | undefined): Promise<EncryptionKeySet> {
  if (file === undefined) return (await cli.client('any')).encryptionKeys.get(cli.call);
  const reader = new InputReader(cli.io, cli.texts);
  const jwks = await reader.jsonObject(`@${file.replace(/^@/, '')}`, '--key');
  if (!Array.isArray(jwks.keys)) throw usageError(cli.texts.input.notObject('--key'));
  // The encryption refuses keys that are not what it needs.
  return { keys: jwks.keys };
}
