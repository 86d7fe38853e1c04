import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A line that can go silent: its connections stay open, and nothing arrives any more. */
export interface FreezingProxy {
  readonly url: string;
  /** Those that are open now; new ones work. */
  freeze(): void;
  /** The same, and new connections are accepted and hear nothing: the machine is up, its database is not. */
  silence(): void;
  /** Ends those that are frozen. */
  thaw(): void;
  close(): void;
}

/** @param firstAfterMs how long the first connection waits, as at a database that is busy */
export async function startFreezingProxy(
  target: string,
  { firstAfterMs = 0 } = {},
): Promise<FreezingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const frozen: Socket[] = [];
  let silent = false;
  let waitMs = firstAfterMs;
  const server = createServer((near) => {
    if (silent) {
      frozen.push(near.on('error', () => {}));
      return;
    }
    if (waitMs > 0) {
      setTimeout(join, waitMs, near);
      waitMs = 0;
    } else join(near);
  }).listen(0, '127.0.0.1');
  const join = (near: Socket) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  };
  await once(server, 'listening');
  const url = new URL(target);
  const freeze = () => {
    for (const socket of sockets) frozen.push(socket.unpipe().pause());
  };
  // A TCP server that listens has one.
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    freeze,
    silence() {
      silent = true;
      freeze();
    },
    thaw() {
      silent = false;
      for (const socket of frozen.splice(0)) socket.destroy();
    },
    close() {
      server.close();
      for (const socket of [...sockets, ...frozen]) socket.destroy();
    },
  };
}
