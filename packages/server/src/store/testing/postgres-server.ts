import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { runOnPostgres } from './run-on-postgres.ts';
import { COLLATION, type RunningPostgres, runPostgres } from './run-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the URL of a PostgreSQL server, started by the first who asks. */
    postgresDoor: string;
    /** Name for the migrated database that the others are copies of. */
    postgresTemplate: string;
  }
}

/** One PostgreSQL per test run, and none when no test asks for it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const template = `changgu_template_${process.pid}_${Date.now()}`;
  let started: Promise<RunningPostgres> | undefined;
  const door = createServer((_request, response) => {
    started ??= startPostgres(template);
    started.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  project.provide('postgresTemplate', template);
  project.provide('postgresDoor', `http://127.0.0.1:${portOf(door.address())}`);
  return async () => {
    door.close();
    door.closeAllConnections();
    await (await started)?.close();
  };
}

async function startPostgres(template: string): Promise<RunningPostgres> {
  const given = process.env.CHANGGU_TEST_POSTGRES_URL;
  if (given) {
    const close = async () =>
      void (await runOnPostgres(given, `drop database if exists ${template} with (force)`));
    return { url: given, close };
  }
  return runPostgres({
    initdb: ['--no-sync', ...COLLATION],
    // A test's database need not survive a power cut; everything else is as in production.
    server: ['fsync=off', 'full_page_writes=off', 'max_connections=200'],
  });
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new TypeError('not a TCP address');
  return address.port;
}
