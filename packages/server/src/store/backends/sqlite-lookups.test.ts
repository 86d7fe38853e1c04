import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { onRows } from '../transactions/compiled.ts';
import type { Transaction } from '../transactions/script.ts';
import { openSqlite, type StoreThread, useThreads } from './sqlite.ts';
import { openLookups } from './sqlite-lookups.ts';

let directory: string;
let path: string;
let owner: DatabaseSync;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'changgu-'));
  path = join(directory, 'store.db');
  owner = new DatabaseSync(path);
  owner.exec(
    'pragma journal_mode = wal; create table counted (n integer); insert into counted values (1)',
  );
});

afterEach(() => {
  owner.close();
  rmSync(directory, { recursive: true });
});

it('ends the thread of a database that cannot be opened for lookups', async () => {
  class Thread extends EventEmitter implements StoreThread {
    readonly asked: object[] = [];
    postMessage(message: object): void {
      this.asked.push(message);
      setImmediate(() => this.emit('exit'));
    }
  }
  const thread = new Thread();
  useThreads(() => {
    setImmediate(() => thread.emit('message', { kind: 'opened' }));
    return thread;
  });
  const missing = { path: join(directory, 'missing.db'), migrate: false };
  await expect(openSqlite(missing)).rejects.toThrow('unable to open database file');
  expect(thread.asked).toEqual([{ close: true }]);
});

const readCount = (tx: Transaction) =>
  onRows(tx.run<{ n: number }>('select n from counted', []), ([row]) => row?.n);

const notAsked = () => Promise.reject(new Error('the thread was asked'));

it('sees what was committed the moment before, also while another write is under way', async () => {
  const lookups = openLookups(path);
  owner.exec('update counted set n = 2');
  expect(await lookups.find(readCount, undefined, notAsked)).toBe(2);
  await nextTurn();
  owner.exec('begin immediate; update counted set n = 3');
  expect(await lookups.find(readCount, undefined, notAsked)).toBe(2);
  await nextTurn();
  owner.exec('commit');
  expect(await lookups.find(readCount, undefined, notAsked)).toBe(3);
  lookups.close();
});

it('has the thread find what it cannot read itself, because the thread may wait', async () => {
  const lookups = openLookups(path);
  owner.exec('drop table counted');
  expect(await lookups.find(readCount, undefined, async () => 7)).toBe(7);
  const later = async (tx: Transaction) => {
    await Promise.resolve();
    return readCount(tx);
  };
  expect(await lookups.find(later, undefined, async () => 8)).toBe(8);
  lookups.close();
});

it('has the thread answer all who wait when no transaction begins', async () => {
  const lookups = openLookups(path);
  const found = [1, 2].map((n) => lookups.find(readCount, undefined, async () => n));
  lookups.close();
  expect(await Promise.all(found)).toEqual([1, 2]);
});

it('cannot write', async () => {
  const lookups = openLookups(path);
  const write = (tx: Transaction) => tx.run('delete from counted', []);
  expect(await lookups.find(write, undefined, async () => 'refused')).toBe('refused');
  expect(await lookups.find(readCount, undefined, notAsked)).toBe(1);
  lookups.close();
});

it('begins to read only after all callers of one turn have asked', async () => {
  const lookups = openLookups(path);
  const first = lookups.find(readCount, undefined, notAsked);
  owner.exec('update counted set n = 2');
  const second = lookups.find(readCount, undefined, notAsked);
  expect(await Promise.all([first, second])).toEqual([2, 2]);
  lookups.close();
});

it('passes on what a script throws, and answers the others', async () => {
  const lookups = openLookups(path);
  const refusing = () => {
    throw new Error('no such thing');
  };
  const refused = lookups.find(refusing, undefined, notAsked);
  const found = lookups.find(readCount, undefined, notAsked);
  await expect(refused).rejects.toThrow('no such thing');
  expect(await found).toBe(1);
  lookups.close();
});

it('reads what follows from an answer of the same turn in the same transaction, and later turns in another', async () => {
  const lookups = openLookups(path);
  const followed = lookups.find(readCount, undefined, notAsked).then(async (first) => {
    // On another connection, as by another process.
    owner.exec('update counted set n = 2');
    return [first, await lookups.find(readCount, undefined, notAsked)];
  });
  expect(await followed).toEqual([1, 1]);
  await nextTurn();
  expect(await lookups.find(readCount, undefined, notAsked)).toBe(2);
  lookups.close();
});

it('gives the event loop a turn however many look-ups follow from one another', async () => {
  const lookups = openLookups(path);
  let turns = 0;
  let isDone = false;
  const countTurns = async () => {
    while (!isDone) {
      await nextTurn();
      turns += 1;
    }
  };
  const counting = countTurns();
  for (let n = 0; n < 20; n += 1) await lookups.find(readCount, undefined, notAsked);
  isDone = true;
  await counting;
  expect(turns).toBeGreaterThanOrEqual(5);
  lookups.close();
});

it('finds once what several ask for at the same time, and again for those who ask later', async () => {
  const lookups = openLookups(path);
  let times = 0;
  const counted = (_tx: Transaction, key: unknown) => {
    times += 1;
    return key;
  };
  const keys = ['a', 'b', 'a', 'a'];
  expect(await Promise.all(keys.map((key) => lookups.find(counted, key, notAsked)))).toEqual(keys);
  expect(times).toBe(2);
  expect(await lookups.find(counted, 'a', notAsked)).toBe('a');
  expect(times).toBe(3);
  lookups.close();
});
