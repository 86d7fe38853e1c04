import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startServe } from '../../src/composition/start-serve.ts';
import { readConfig } from '../../src/config/server-config.ts';
import { startProgram } from '../support/run-command.ts';

let folder: string;
let dataDir: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'changgu-fresh-'));
  dataDir = join(folder, 'var/changgu');
});
afterEach(() => rm(folder, { recursive: true }));

const SERVE = {
  CHANGGU_PUBLIC_BASE_URL: 'https://jobs.example.com',
  CHANGGU_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
  CHANGGU_LISTEN: '127.0.0.1:0',
  CHANGGU_LOG_LEVEL: 'fatal',
};

it('serve makes the directory of the default database, for its owner only (D132)', {
  timeout: 60_000,
}, async () => {
  const server = await startServe(
    await readConfig('serve', { ...SERVE, CHANGGU_DATA_DIR: dataDir }),
  );
  await server.close();
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  expect((await stat(join(dataDir, 'changgu.db'))).isFile()).toBe(true);
});

it('migrate makes it, too, and says which database is up to date', {
  timeout: 60_000,
}, async () => {
  const { stdout } = await startProgram(['migrate'], { CHANGGU_DATA_DIR: dataDir });
  const file = join(dataDir, 'changgu.db');
  expect(stdout).toBe(`The database is up to date: SQLite file ${file}\n`);
});

it('a named database in a folder that does not exist is a mistake', {
  timeout: 60_000,
}, async () => {
  const named = { CHANGGU_DATABASE_URL: `sqlite:${join(folder, 'tpyo/changgu.db')}` };
  await expect(startProgram(['migrate'], named)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('ENOENT'),
  });
});
