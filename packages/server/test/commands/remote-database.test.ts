import { afterEach, expect, it, vi } from 'vitest';
import { createProgram } from '../../src/commands/program.ts';

afterEach(() => vi.unstubAllEnvs());

it.each([
  'serve',
  'migrate',
  'dev --port 0',
  'admin requests',
  'keys rotate-signing',
  'audit verify',
  'api-key list --org 1',
  'oauth client list',
  'identity-provider list',
])('%s sends no password to a database that it does not verify (D64)', async (command) => {
  vi.stubEnv('CHANGGU_DATABASE_URL', 'postgres://u:hunter2@db.example.com/changgu');
  vi.stubEnv('CHANGGU_PUBLIC_BASE_URL', 'https://jobs.example.com');
  vi.stubEnv('CHANGGU_MASTER_KEY', Buffer.alloc(32, 1).toString('base64'));
  const failure = await createProgram()
    .parseAsync(['node', 'changgu-server', ...command.split(' ')])
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({
    name: 'ConfigError',
    message: expect.stringContaining('sslmode=verify-full'),
  });
  expect(String(failure)).not.toContain('hunter2');
});
