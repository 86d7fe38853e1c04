import type { Cli } from '../../cli.ts';
import { isJson } from '../../output/format.ts';

/** The service's public keys, the one in use first. As JSON it is the JWKS that `encrypt --key` takes. */
export async function keys(cli: Cli): Promise<undefined> {
  const client = await cli.client('any');
  const jwks = await client.encryptionKeys.get(cli.call);
  if (isJson(cli.output.format)) await cli.output.document(jwks);
  else await cli.output.list(jwks.keys, { columns: ['kid', 'use', 'alg'], id: 'kid' });
}
