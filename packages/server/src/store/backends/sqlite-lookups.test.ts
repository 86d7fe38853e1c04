import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lookup } from '../transactions/script.ts';
import { LookupFailedError, openLookups } from './sqlite-lookups.ts';

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

const readCount = lookup(async (tx) => {
  const [row] = await tx.run<{ n: number }>('select n from counted', []);
  return row?.n;
});

it('sees what was committed the moment before, also while another write is under way', async () => {
  const lookups = openLookups(path);
  owner.exec('update counted set n = 2');
  expect(await lookups.find(readCount, undefined)).toBe(2);
  await nextTurn();
  owner.exec('begin immediate; update counted set n = 3');
  expect(await lookups.find(readCount, undefined)).toBe(2);
  await nextTurn();
  owner.exec('commit');
  expect(await lookups.find(readCount, undefined)).toBe(3);
  lookups.close();
});

it('says that it could not read at once, so that the thread is asked, which may wait', async () => {
  const lookups = openLookups(path);
  owner.exec('drop table counted');
  await expect(lookups.find(readCount, undefined)).rejects.toThrow(LookupFailedError);
  lookups.close();
});

it('cannot write', async () => {
  const lookups = openLookups(path);
  const writing = lookup(async (tx) => tx.run('delete from counted', []));
  await expect(lookups.find(writing, undefined)).rejects.toThrow(LookupFailedError);
  expect(await lookups.find(readCount, undefined)).toBe(1);
  lookups.close();
});

it('begins to read only after all callers of one turn have asked', async () => {
  const lookups = openLookups(path);
  const first = lookups.find(readCount, undefined);
  owner.exec('update counted set n = 2');
  const second = lookups.find(readCount, undefined);
  expect(await Promise.all([first, second])).toEqual([2, 2]);
  lookups.close();
});

it('passes on what a script throws, and answers the others', async () => {
  const lookups = openLookups(path);
  const refusing = lookup(async () => {
    throw new Error('no such thing');
  });
  const refused = lookups.find(refusing, undefined);
  const found = lookups.find(readCount, undefined);
  await expect(refused).rejects.toThrow('no such thing');
  expect(await found).toBe(1);
  lookups.close();
});

it('reads what follows from an answer of the same turn in the same transaction, and later turns in another', async () => {
  const lookups = openLookups(path);
  const followed = lookups.find(readCount, undefined).then(async (first) => {
    // On another connection, as by another process.
    owner.exec('update counted set n = 2');
    return [first, await lookups.find(readCount, undefined)];
  });
  expect(await followed).toEqual([1, 1]);
  await nextTurn();
  expect(await lookups.find(readCount, undefined)).toBe(2);
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
  for (let n = 0; n < 20; n += 1) await lookups.find(readCount, undefined);
  isDone = true;
  await counting;
  expect(turns).toBeGreaterThanOrEqual(5);
  lookups.close();
});

it('finds once what several ask for at the same time, and again for those who ask later', async () => {
  const lookups = openLookups(path);
  let times = 0;
  const counted = lookup(async (_tx, key: string) => {
    times += 1;
    return key;
  });
  const keys = ['a', 'b', 'a', 'a'];
  expect(await Promise.all(keys.map((key) => lookups.find(counted, key)))).toEqual(keys);
  expect(times).toBe(2);
  expect(await lookups.find(counted, 'a')).toBe('a');
  expect(times).toBe(3);
  lookups.close();
});
