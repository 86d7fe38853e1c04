import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../config/server-config.ts';
import { forgetEverything } from './forget-everything.ts';

describe('--fresh', () => {
  it('deletes its own files and nothing else', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'changgu-fresh-'));
    const own = ['changgu.db', 'changgu.db-wal', 'changgu.db-shm', 'demo.json', 'master-key'];
    for (const name of [...own, 'thesis.txt']) await writeFile(join(dataDir, name), 'x');
    await forgetEverything(await readConfig('dev', {}, { dataDir }));
    expect(await readdir(dataDir)).toEqual(['thesis.txt']);
    await rm(dataDir, { recursive: true });
  });

  it('leaves a database elsewhere alone', async () => {
    const config = await readConfig('dev', { CHANGGU_DATABASE_URL: 'postgres://127.0.0.1/x' });
    await expect(forgetEverything(config)).rejects.toThrow('--fresh');
  });
});
