import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that operating systems hand out by themselves, to listeners and to outgoing connections alike. */
const FIRST = 10_000;
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
