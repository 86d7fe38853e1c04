import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ELSEWHERE,
  type Placeholders,
  READING,
  thingsToActOn,
  WRITING,
  wordsOf,
} from './support/every-command.ts';
import { testHome } from './support/run.ts';
import { type Service, startService } from './support/service.ts';

let service: Service;
let placeholders: Placeholders;

beforeAll(async () => {
  service = await startService({ links: true });
  placeholders = await thingsToActOn(service);
});
afterAll(() => service[Symbol.asyncDispose]());

/** Runs it with every question answered by yes, and watches what goes to the service and what changes on disk. */
async function dryRun(line: string) {
  const { home } = service;
  const methods: string[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    methods.push(init?.method ?? 'GET');
    return globalThis.fetch(input, init);
  };
  const before = await filesOf(home.dir);
  const ran = await home.run([...wordsOf(line, placeholders), '-n', '-y', '--no-input'], {
    fetch,
    stdin: 'secret-4821\n',
    cwd: join(import.meta.dirname, 'support/dry-run'),
  });
  const changed = (await filesOf(home.dir)) !== before;
  return { ...ran, changed, writes: methods.filter((method) => method !== 'GET') };
}

async function filesOf(dir: string): Promise<string> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files.toSorted().map(async (file) => [file, await readFile(file)]),
  );
  return JSON.stringify(texts);
}

describe('--dry-run', { timeout: 30_000 }, () => {
  it('is tried with every command that there is', async () => {
    await using home = await testHome();
    const { stdout } = await home.run(['commands', '-o', 'id']);
    const all = stdout
      .trim()
      .split('\n')
      .map((command) => command.replace(/^changgu /, ''));
    const tried = [...READING, ...WRITING, ...ELSEWHERE];
    const untried = all.filter(
      (command) => !tried.some((line) => line === command || line.startsWith(`${command} `)),
    );
    expect(untried).toEqual([]);
  });

  it.each(WRITING)('shows what `%s` would do and does none of it', async (line) => {
    const { code, stdout, stderr, writes, changed } = await dryRun(line);
    expect({ code, writes, changed }).toEqual({ code: 0, writes: [], changed: false });
    expect(stderr).toMatch(/실행하지 않았습니다\(--dry-run\)\.\n$/);
    const shown = JSON.parse(stdout);
    expect(shown.method ?? shown.writes ?? shown.removes ?? shown.runs).toBeTruthy();
    expect(stdout).not.toContain('secret-4821');
  });

  it.each(READING)('changes nothing for `%s`, which only reads', async (line) => {
    const { stderr, writes, changed } = await dryRun(line);
    expect({ writes, changed }).toEqual({ writes: [], changed: false });
    expect(stderr).not.toContain('INTERNAL');
  });

  it('mcp install writes the profile that it was called with', async () => {
    const { stdout } = await dryRun('mcp install codex --profile default');
    expect(JSON.parse(stdout).runs).toEqual([
      '@changgu/mcp-bridge',
      'install',
      'codex',
      '--yes',
      '--profile',
      'default',
    ]);
  });

  it.each([
    ['--env-scope real_test', 'env_scope=real_test'],
    ['--base-url https://other.example', 'base_url=https://other.example'],
    ['--config other.toml', '--config'],
  ])('mcp install refuses %s, which the host would start without', async (option, named) => {
    const { code, stderr } = await dryRun(`mcp install codex ${option}`);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(named) });
    if (!option.startsWith('--config')) {
      expect(stderr).toContain(`\n  changgu login --profile <name> ${option}\n`);
    }
  });

  it('shows the request as it would be sent, with its secrets encrypted', async () => {
    const { stdout } = await dryRun(
      'jobs submit bank_b.accounts.transaction_history.search -p direction=in --idempotency-key night-1 --secret account_password=@-',
    );
    expect(JSON.parse(stdout)).toEqual({
      method: 'POST',
      url: `${service.server.url}/v1/jobs`,
      headers: { 'x-env-scope': 'sandbox', 'idempotency-key': 'night-1' },
      body: {
        provider: 'bank_b',
        action: 'bank_b.accounts.transaction_history.search',
        params: { direction: 'in' },
        encrypted_fields: { account_password: '<encrypted>' },
      },
    });
  });
});
