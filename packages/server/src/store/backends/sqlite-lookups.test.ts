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

it('can neither write nor read twice: between two statements somebody may commit', async () => {
  const lookups = openLookups(path);
  const writing = lookup(async (tx) => tx.run('delete from counted', []));
  await expect(lookups.find(writing, undefined)).rejects.toThrow(LookupFailedError);
  const twice = lookup(async (tx) => [await tx.run('select 1', []), await tx.run('select 2', [])]);
  await expect(lookups.find(twice, undefined)).rejects.toThrow('one statement');
  lookups.close();
});
