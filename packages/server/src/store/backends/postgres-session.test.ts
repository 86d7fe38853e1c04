import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createPostgresDatabase, type TestDatabase } from '../testing/describe-stores.ts';
import { orFail } from '../transactions/or-fail.ts';
import { clientConfig } from './postgres-connections.ts';
import { type PostgresSession, sessionOf } from './postgres-session.ts';

const DIVISION_BY_ZERO = '22012';

let database: TestDatabase;
let client: pg.Client;
let session: PostgresSession;
beforeAll(async () => {
  database = await createPostgresDatabase();
  client = new pg.Client(clientConfig(database.url, 10_000));
  await client.connect();
  session = sessionOf(client);
  await client.query('create table notes (text text)');
});
afterAll(async () => {
  await client.end();
  await database.remove();
});

/** Time stands still: a session sends otherwise after a pause. */
beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

const notes = async () => (await client.query('select text from notes')).rows;
const note = (text: string) => session.run('insert into notes values ($1)', [text]);

it('reads in the transaction whose BEGIN it does not wait for', async () => {
  const begun = session.begin();
  const [row] = await session.run<{ inside: boolean }>(
    'select now() < clock_timestamp() and pg_backend_pid() > 0 as inside',
    [],
  );
  expect([row, client.getTransactionStatus()]).toEqual([{ inside: true }, 'T']);
  await begun;
  await note('kept');
  await session.rollback();
  expect(await notes()).toEqual([]);
});

it('changes nothing when the transaction could not begin', async () => {
  const begun = session.begin({ maxLockMs: -5 });
  const [beginning, reading, writing] = await Promise.allSettled([
    begun,
    session.run('select 1', []),
    note('lost'),
  ]);
  expect(beginning).toMatchObject({ reason: { message: /lock_timeout/ } });
  expect(reading).toMatchObject({ status: 'rejected' });
  expect(writing).toMatchObject({ reason: { message: /lock_timeout/ } });
  await session.rollback();
  expect(await notes()).toEqual([]);
});

it('runs what is sent together in the order of sending, and fails all of it with the first', async () => {
  await session.begin();
  await Promise.all([note('first'), note('second')]);
  await session.commit();
  expect(await notes()).toEqual([{ text: 'first' }, { text: 'second' }]);
  await session.begin();
  const failed = Promise.all([note('third'), session.run('select 1 / 0', []), note('fourth')]);
  await expect(failed).rejects.toMatchObject({ code: DIVISION_BY_ZERO });
  await session.rollback();
  expect(await notes()).toHaveLength(2);
});

it('sends a statement that is a transaction of its own in one packet, with what it allows itself', async () => {
  const { stream } = client.connection;
  const packets = vi.spyOn(stream, '_writev');
  const limits = { maxLockMs: 50, inIndexOrder: true };
  const alone = session.oneByOne(limits);
  const allowed = alone.run(
    "select current_setting('lock_timeout') as lock, current_setting('enable_sort') as sort",
    [],
  );
  expect(await allowed).toEqual([{ lock: '50ms', sort: 'off' }]);
  expect(packets).toHaveBeenCalledTimes(1);
  packets.mockRestore();
  const before = await notes();
  await alone.run('insert into notes values ($1)', ['alone']);
  expect(await notes()).toEqual([...before, { text: 'alone' }]);
  await expect(alone.run('insert into notes select 1 / 0', [])).rejects.toMatchObject({
    code: DIVISION_BY_ZERO,
  });
  expect([client.getTransactionStatus(), await notes()]).toEqual([
    'I',
    [...before, { text: 'alone' }],
  ]);
});

it('sends each statement at once when the server has been idle, for it begins with the first', async () => {
  const sentAtOnce = async (pauseMs: number) => {
    const packets = vi.spyOn(client.connection.stream, '_write');
    vi.mocked(performance.now).mockReturnValue(performance.now() + pauseMs);
    const begun = session.begin();
    const read = session.run('select 1', []);
    const sent = packets.mock.calls.length;
    packets.mockRestore();
    await Promise.all([begun, read]);
    await session.commit();
    return sent > 0;
  };
  expect(await sentAtOnce(0)).toBe(false);
  expect(await sentAtOnce(1_000)).toBe(true);
  expect(await sentAtOnce(5)).toBe(false);
});

it('sends notices behind its commit in the same packet', async () => {
  const heard: (string | undefined)[] = [];
  const listener = new pg.Client(clientConfig(database.url, 10_000));
  await listener.connect();
  await listener.query('listen changgu');
  const told = new Promise<void>((resolve) => {
    listener.on('notification', ({ payload }) => {
      heard.push(payload);
      resolve();
    });
  });
  await session.begin();
  await note('told');
  const packets = vi.spyOn(client.connection.stream, '_writev');
  await session.commit(['of it']);
  expect(packets).toHaveBeenCalledTimes(1);
  packets.mockRestore();
  await told;
  expect(heard).toEqual(['of it']);
  await listener.end();
});

it('fails a commit that the server turned into a rollback, because a failure went unnoticed', async () => {
  const before = await notes();
  await session.begin();
  await note('lost');
  await expect(session.run('select 1 / 0', [])).rejects.toMatchObject({ code: DIVISION_BY_ZERO });
  await expect(session.commit()).rejects.toThrow('rolled back');
  expect(await notes()).toEqual(before);
});

it('refuses a statement behind its COMMIT, which would be a transaction of its own', async () => {
  const before = await notes();
  await session.begin();
  const kept = note('kept');
  const committed = session.commit();
  await expect(note('late')).rejects.toThrow('after the COMMIT');
  await Promise.all([kept, committed]);
  expect(await notes()).toEqual([...before, { text: 'kept' }]);
});

it('commits nothing behind a statement that changed less than it had to', async () => {
  const before = await notes();
  const whole = orFail(sql`(select count(*) from changed) = 1`, 'the note was lost');
  const changed = sql`insert into notes select 'lost' where current_setting('port') = '' returning text`;
  const lossy = sql`with changed as (${changed}) select * from changed where ${whole}`;
  await session.begin();
  const outcomes = Promise.allSettled([
    note('with it'),
    session.run(lossy.compile(session.db).sql, []),
    session.commit(),
  ]);
  expect(await outcomes).toMatchObject([
    { status: 'fulfilled' },
    { reason: { message: expect.stringContaining('the note was lost') } },
    { reason: { message: expect.stringContaining('rolled back') } },
  ]);
  expect(await notes()).toEqual(before);
});

it('prepares a statement once, also one that begins on a line of its own', async () => {
  const text = `
    with numbers (n) as (values (1), (2)) select sum(n) as sum from numbers`;
  await session.run(text, []);
  await session.run(text, []);
  const prepared = 'select statement from pg_prepared_statements where statement like $1';
  const { rows } = await client.query(prepared, ['%sum(n)%numbers']);
  expect(rows).toEqual([{ statement: text }]);
});
