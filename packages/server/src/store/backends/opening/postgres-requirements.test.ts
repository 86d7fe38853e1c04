import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../database.ts';
import { createPostgresDatabase, type TestDatabase } from '../../testing/describe-stores.ts';
import { runOnPostgres } from '../../testing/run-on-postgres.ts';
import { clientConfig } from '../postgres-connections.ts';
import { judge } from '../postgres-errors.ts';
import { problemOf } from './postgres-requirements.ts';

const USER = `limited_${process.pid}_${Date.now()}`;
const PASSWORD = 'limited';

let database: TestDatabase;

beforeAll(async () => {
  database = await createPostgresDatabase();
  await execute(`create role ${USER} login password '${PASSWORD}'`);
});
afterAll(async () => {
  await execute(`drop owned by ${USER}`);
  await execute(`drop role ${USER}`);
  await database.remove();
});

const execute = (statement: string) => runOnPostgres(database.url, statement);

/** The database as the user with few privileges sees it. */
function asUser(name = new URL(database.url).pathname): string {
  const url = new URL(database.url);
  url.username = USER;
  url.password = PASSWORD;
  url.pathname = name;
  return url.href;
}

/** Another database of the same server, for as long as `run` takes. */
async function inDatabase(settings: string, run: (name: string) => Promise<void>): Promise<void> {
  const name = `${USER}_other`;
  await execute(`create database ${name} ${settings}`);
  try {
    await run(name);
  } finally {
    await execute(`drop database ${name} with (force)`);
  }
}

describe('a start says what keeps the service from working on this PostgreSQL, and what to do (D132)', () => {
  it('a user that may not create tables', () =>
    inDatabase('', async (name) => {
      await expect(openStore({ url: asUser(name) })).rejects.toMatchObject({
        name: 'MigrationError',
        message: expect.stringMatching(/public.*grant create on schema public/),
      });
    }));

  it('a database that cannot hold every text', () =>
    inDatabase("encoding 'LATIN1' locale 'C' locale_provider libc template template0", (name) =>
      expect(openStore({ url: database.url.replace(/[^/]+$/, name) })).rejects.toMatchObject({
        name: 'MigrationError',
        message: expect.stringMatching(/LATIN1.*encoding 'UTF8'/),
      }),
    ));

  it('a standby, or a database that is closed to writers', async () => {
    const url = `${database.url}?options=-c%20default_transaction_read_only%3Don`;
    await expect(openStore({ url })).rejects.toMatchObject({
      name: 'MigrationError',
      message: expect.stringContaining('name the primary'),
    });
  });

  it('a pooler that drops the settings of sessions', async () => {
    await expect(
      openStore({ url: `${database.url}?options=-c%20changgu.session%3D` }),
    ).rejects.toMatchObject({
      name: 'MigrationError',
      message: expect.stringContaining('not through a pooler'),
    });
  });

  it('a pooler that refuses them', async () => {
    const pooler = createServer((socket) => {
      socket.once('data', () => socket.end(refusal('unsupported startup parameter: options')));
    });
    pooler.listen(0, '127.0.0.1');
    await once(pooler, 'listening');
    // A TCP server that listens has one.
    const { port } = pooler.address() as AddressInfo;
    await expect(openStore({ url: `postgres://u:p@127.0.0.1:${port}/d` })).rejects.toMatchObject({
      name: 'MigrationError',
      message: expect.stringMatching(/startup parameter: options.*not through a pooler/),
    });
    pooler.close();
  });

  it('a version that lacks what the store uses', () => {
    const found = { encoding: 'UTF8', synchronous_commit: 'on', mark: 'on' };
    expect(problemOf({ ...found, version: 12 })).toContain('13 or newer');
    expect(problemOf({ ...found, version: 13 })).toBeNull();
  });
});

it('opens a database whose user has limits and defaults of its own', () =>
  inDatabase(`owner ${USER}`, async (name) => {
    await execute(`alter role ${USER} set statement_timeout = 1`);
    await execute(`alter role ${USER} set lock_timeout = 1`);
    await execute(`alter role ${USER} set default_transaction_isolation = 'serializable'`);
    const store = await openStore({ url: asUser(name) });
    await expect(store.clock.advance({ seconds: 1 })).resolves.toBeGreaterThan(0);
    await store.close();
    await execute(`alter role ${USER} reset all`);
  }));

it('leaves a primary that became a standby: calls answer 503 until there is one again (D132)', () =>
  inDatabase('', async (name) => {
    const url = database.url.replace(/[^/]+$/, name);
    const store = await openStore({ url });
    const primary = `${url}?options=-c%20default_transaction_read_only%3Doff`;
    const turn = async (state: 'on' | 'off') => {
      await runOnPostgres(
        primary,
        `alter database ${name} set default_transaction_read_only = ${state}`,
      );
      await runOnPostgres(
        primary,
        `select pg_terminate_backend(pid, 10000) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
      );
    };
    await turn('on');
    await expect(store.clock.advance({ seconds: 1 })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    await turn('off');
    await expect(store.clock.advance({ seconds: 1 })).resolves.toBeGreaterThan(0);
    await store.close();
  }));

describe('an error of the server', () => {
  it('is known by its code: in Korea its text is Korean', async () => {
    const client = new pg.Client(clientConfig(database.url, 1_000));
    await client.connect();
    await client.query('create temporary table changing (a text)');
    const read = () => client.query({ name: 'read', text: 'select * from changing', values: [] });
    await read();
    await client.query('alter table changing add column b text');
    const error: unknown = await read().catch((thrown: unknown) => thrown);
    await client.end();
    if (!(error instanceof Error)) throw new Error('the plan was still good');
    error.message = '캐시된 계획은 결과 자료형을 바꿀 수 없습니다.';
    expect(judge(error)).toMatchObject({ retry: true, suspectAll: true });
  });
});

/** An ErrorResponse of PostgreSQL's protocol. */
function refusal(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${message}\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
