import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SYSTEM_SCOPE } from './organization-key.ts';
import { secretsInDirectory } from './organization-secrets.ts';

let directory: string;
beforeAll(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'changgu-secrets-')), 'keys');
});
afterAll(() => rm(join(directory, '..'), { recursive: true }));

it('agrees on one secret when processes make it at once, and erases it (D64)', async () => {
  const processes = Array.from({ length: 8 }, () => secretsInDirectory(directory));
  const made = await Promise.all(processes.map((secrets) => secrets.ensure('1')));
  expect(new Set(made.map((secret) => Buffer.from(secret ?? []).toString('hex'))).size).toBe(1);
  expect(made[0]).toHaveLength(32);
  expect(await readdir(directory)).toEqual(['1.key']);
  expect((await stat(join(directory, '1.key'))).mode & 0o777).toBe(0o600);
  await processes[0]?.erase('1');
  expect(await readdir(directory)).toEqual([]);
  await processes[0]?.erase('1');
});

it('keeps none for the system, whose keys outlive every organization', async () => {
  const secrets = secretsInDirectory(directory);
  expect(await secrets.ensure(SYSTEM_SCOPE)).toBeNull();
  expect(await secrets.read(SYSTEM_SCOPE)).toBeNull();
});
