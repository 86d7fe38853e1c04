import { reads } from '../../command.ts';
import { isJson } from '../../output/format.ts';
import type { Shape } from '../../output/shape.ts';

const KEY: Shape = {
  fields: ['kid', 'use', 'alg', 'kty', 'n', 'e'],
  columns: ['kid', 'use', 'alg'],
  id: 'kid',
};

/** The service's public keys, the current one first. As JSON it is the JWKS that `encrypt --key` accepts. */
export const keys = reads<[]>(
  ({ output }) => (isJson(output.format) ? 'document' : KEY),
  async (cli) => {
    const client = await cli.client('any');
    const jwks = await client.encryptionKeys.get(cli.call);
    if (isJson(cli.output.format)) await cli.output.document(jwks);
    else await cli.output.list(jwks.keys, KEY);
    return undefined;
  },
);
