import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openSqliteConnection } from './sqlite-connection.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'changgu-sqlite-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

describe('the embedded database (D132)', () => {
  it.each(['writer', 'reader'] as const)('a %s loses no answered write', (mode) => {
    const path = join(directory, `${mode}.db`);
    const { raw } = openSqliteConnection(path, mode);
    const setting = (name: string) => Object.values(raw.prepare(`pragma ${name}`).get() ?? {})[0];
    expect(setting('journal_mode')).toBe('wal');
    const full = 2;
    expect(setting('synchronous')).toBe(full);
    expect(setting('secure_delete')).toBe(1);
    expect(setting('foreign_keys')).toBe(1);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    raw.close();
  });

  it('prepares a statement once that comes often, however many others came before it', async () => {
    const { raw, run } = openSqliteConnection(join(directory, 'many.db'), 'writer');
    for (let n = 0; n < 600; n += 1) await run(`select ${n} as n`, []);
    const prepare = vi.spyOn(raw, 'prepare');
    for (let n = 0; n < 10; n += 1) await run("select 'often' as n", []);
    expect(prepare).toHaveBeenCalledTimes(1);
    raw.close();
  });

  it('plans a statement with a limit once, whatever the limit is', async () => {
    const { raw, db } = openSqliteConnection(join(directory, 'planned.db'), 'writer');
    raw.exec('create table settings (name text, value text)');
    const rows = (limit: number) =>
      db.selectFrom('settings').select('value').orderBy('name').limit(limit).execute();
    let asked = 0;
    // SQLite asks it whenever it plans a statement.
    raw.setAuthorizer(() => {
      asked += 1;
      return constants.SQLITE_OK;
    });
    await rows(1);
    const once = asked;
    await rows(2);
    expect(once).toBeGreaterThan(0);
    expect(asked).toBe(once);
    raw.close();
  });
});
