import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
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
  owner.exec('begin immediate; update counted set n = 3');
  expect(await lookups.find(readCount, undefined)).toBe(2);
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

it('begins to read only after everybody of one turn has asked', async () => {
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
