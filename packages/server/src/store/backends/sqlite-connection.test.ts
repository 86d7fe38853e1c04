import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
});
