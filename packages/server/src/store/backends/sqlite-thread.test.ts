import { readFileSync } from 'node:fs';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { openStore } from '../database.ts';

it('the thread of the database loads no library but Kysely, because every start and every process pays for it', () => {
  const program = readFileSync(inject('storeThread'), 'utf8');
  const origins = program.matchAll(
    /^\/\/ .*node_modules\/\.pnpm\/[^/]+\/node_modules\/((?:@[^/]+\/)?[^/\n]+)/gm,
  );
  const libraries = new Set(Array.from(origins, ([, name]) => name));
  expect(libraries).toEqual(new Set(['canonicalize', 'kysely']));
});

it('a command runs the database in the thread of the command, for others to read', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'changgu-this-thread-'));
  const url = `sqlite:${join(folder.path, 'changgu.db')}`;
  const ownCheck = { id: 'a key', onlyIfAbsent: true };
  const store = await openStore({ url, inThisThread: true });
  await store.organizationKeys.setMasterKeyCheck(ownCheck);
  await store.close();
  const other = await openStore({ url });
  const check = await other.organizationKeys.setMasterKeyCheck({ ...ownCheck, id: 'another' });
  await other.close();
  expect(check).toBe('a key');
});

it('a command is told why the database cannot be opened in the thread of the command', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'changgu-this-thread-'));
  const path = join(folder.path, 'changgu.db');
  await writeFile(path, 'not a database '.repeat(100));
  await expect(openStore({ url: `sqlite:${path}`, inThisThread: true })).rejects.toThrow(
    'not a database',
  );
});
