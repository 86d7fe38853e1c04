import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testHome } from './support/run.ts';
import { type Service, startService } from './support/service.ts';

/** Every command with arguments that would make it act. `LINK`, `ACCOUNT` and `JOB` stand for what exists. */
const READING = [
  'jobs list',
  'jobs get JOB',
  'jobs wait JOB',
  'jobs watch JOB',
  'jobs result JOB',
  'runs list',
  'runs show',
  'runs prune',
  'actions list',
  'actions show bank_b.accounts.list',
  'artifacts list JOB',
  'links list',
  'links get LINK',
  'bank-accounts list LINK',
  'bank-accounts get LINK ACCOUNT',
  'whoami',
  'profiles list',
  'config list',
  'config get profile',
  'config path',
  'app-credentials list',
  'audit list',
  'audit export',
  'receipts list',
  'receipts verify receipts.jsonl',
  'members list',
  'members invitations',
  'sessions list',
  'factors list',
  'membership',
  'products list',
  'products get 1',
  'invoices list',
  'webhooks list',
  'webhooks show WEBHOOK',
  'webhooks deliveries WEBHOOK',
  'invoices get 1',
  'encrypt',
  'keys',
  'commands',
  'doctor',
  'open docs',
];

const WRITING = [
  'jobs submit bank_b.accounts.transaction_history.search --secret account_password=@-',
  'jobs cancel JOB',
  'all-accounts run bank_b.accounts.transaction_history.search',
  'artifacts delete JOB',
  'links create bank_b --login --secret login_id=@- --secret login_password=@id.txt',
  'links unlink LINK',
  'links consent-url bank_d',
  'links select LINK {}',
  'bank-accounts add LINK --secret account_no=@id.txt --secret account_password=@-',
  'bank-accounts password LINK ACCOUNT --secret account_password=@-',
  'bank-accounts default LINK ACCOUNT',
  'bank-accounts remove LINK ACCOUNT',
  'login --email someone@example.com --password-stdin',
  'logout',
  'profiles use default',
  'profiles rename default other',
  'profiles remove default',
  'config set env_scope sandbox',
  'members invite someone@example.com',
  'members revoke-invitation INVITATION',
  'members set-role 1 ADMIN',
  'members remove 1',
  'members hand-over 1',
  'sessions end SESSION',
  'factors add --password-stdin',
  'factors confirm FACTOR --factor-code 123456',
  'factors remove FACTOR --password-stdin',
  'app-credentials issue nightly',
  'app-credentials rotate cli_x',
  'app-credentials revoke cli_x',
  'webhooks create https://receiver.example/hook --type job.finished',
  'webhooks rotate whk_x',
  'webhooks test whk_x',
  'webhooks replay whk_x --from 1h',
  'webhooks delete whk_x',
  'webhooks listen --forward http://localhost:3000/hook',
  'sandbox start --port 0',
  'mcp start',
  'mcp install codex',
  'api POST /v1/jobs -f action=x',
];

/** They have nothing to act on here: `resume` needs a run that is open, `download` a file; `tail` does not end. */
const ELSEWHERE = [
  'all-accounts resume',
  'artifacts download',
  'receipts download',
  'events tail',
  'completion',
];

let service: Service;
let placeholders: Readonly<Record<string, string>>;

beforeAll(async () => {
  service = await startService({ links: true });
  const { home, server } = service;
  const { email, password } = server.console;
  await home.run(['login', '--email', email, '--password-stdin'], { stdin: password });
  const idOf = async (...argv: string[]) =>
    (await home.run([...argv, '-o', 'id'])).stdout.split('\n')[0] ?? '';
  const link = await idOf('links', 'list', '--provider', 'bank_b');
  placeholders = {
    LINK: link,
    ACCOUNT: await idOf('bank-accounts', 'list', link),
    FACTOR: randomUUID(),
    JOB: await idOf('jobs', 'submit', 'bank_a.accounts.list'),
  };
  await home.run(['jobs', 'wait', placeholders.JOB ?? '']);
});
afterAll(() => service[Symbol.asyncDispose]());

const wordsOf = (line: string) => line.split(' ').map((word) => placeholders[word] ?? word);

/** Runs it with every question answered by yes, and watches what goes to the service and what changes on disk. */
async function dryRun(line: string) {
  const { home } = service;
  const methods: string[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    methods.push(init?.method ?? 'GET');
    return globalThis.fetch(input, init);
  };
  const before = await filesOf(home.dir);
  const ran = await home.run([...wordsOf(line), '-n', '-y', '--no-input'], {
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
    expect(stdout).not.toContain('4821');
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
