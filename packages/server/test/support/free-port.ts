import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port that is free just now, for those who must say their address before they listen. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
