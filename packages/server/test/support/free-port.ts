import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** `fetch` and browsers refuse 10080, and nothing from here on. */
const FIRST = 10_081;
/** Operating systems hand out those above by themselves, to listeners and to outgoing connections alike. */
const LAST = 32_767;

/** A port for those who must say their address before they listen: free now, and taken by no one by chance. */
export async function freePort(): Promise<number> {
  const port = randomInt(FIRST, LAST + 1);
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    return freePort();
  }
  probe.close();
  await once(probe, 'close');
  return port;
}
