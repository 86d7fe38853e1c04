import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FakeService } from '@changgu/sdk/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunOptions, type TestHome, testHome } from './support/run.ts';

const ISSUE = ['jobs', 'submit', 'tax_portal.c1.vat_standard', '-p', 'purpose_code=07'];

let home: TestHome;
let service: FakeService;
let sent: string[];

beforeEach(async () => {
  service = new FakeService();
  sent = [];
  home = await testHome({
    CHANGGU_BASE_URL: service.baseUrl,
    CHANGGU_CLIENT_ID: 'cli_fake',
    CHANGGU_CLIENT_SECRET: 'fake-secret',
    NO_COLOR: '1',
    TERM: 'xterm',
  });
});
afterEach(() => home[Symbol.asyncDispose]());

function run(words: readonly string[], options: RunOptions = {}) {
  const fetch: typeof service.fetch = (url, init) => {
    const isCheck = new Headers(init?.headers).get('prefer')?.includes('validate-only');
    sent.push(isCheck ? 'CHECK' : (init?.method ?? 'GET'));
    return service.fetch(url, init);
  };
  return service.clock.runUntil(home.run(words, { fetch, clock: service.clock, ...options }));
}

const ACCEPTED = { job_id: 'job_01', status: 'QUEUED', submitted_at: '2026-11-21T09:00:00+09:00' };
const LIVE = [...ISSUE, '--env-scope', 'production'];

describe('an action that cannot be undone', { timeout: 20_000 }, () => {
  it('needs --yes in a script, and sends nothing without it', async () => {
    const refused = await run(LIVE);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('--yes');
    expect(sent).toEqual([]);
    expect((await run([...LIVE, '-y'])).code).toBe(0);
    expect(sent).toContain('POST');
  });

  it('is shown with every value at a terminal, and sent when the answer is yes', async () => {
    const tty = { stdout: true, stderr: true, columns: 80 } as const;
    const no = await run(LIVE, { tty, keys: ['', '', 'n'] });
    expect(no.code).toBe(130);
    expect(no.stderr).toContain('purpose_code: 07 금융기관 제출용\n');
    expect(no.stderr).toContain('copies: 1\n');
    expect(no.stderr).toContain('production 환경의 기관에 신청합니다. 되돌릴 수');
    expect(no.stderr).toContain('예 / ● 아니요');
    expect(no.stderr).toMatch(/\n취소했습니다\.\n$/);
    expect(sent).not.toContain('POST');
    const yes = await run([...LIVE, '--lang', 'en'], { tty, keys: ['', '', 'y'] });
    expect(yes).toMatchObject({ code: 0 });
    expect(yes.stderr).toContain('purpose_code: 07 financial institutions');
    expect(sent).toContain('POST');
  });

  it('is shown with the link, which a change of the primary one does not replace', async () => {
    let primary = 'link-1';
    service.route(({ path, headers }) => {
      if (path === '/v1/credentials/link-1') {
        return { status: 200, body: { business_name: '한강유통', biz_number: '1234567890' } };
      }
      if (!headers.get('prefer')?.includes('validate-only')) return null;
      return { status: 200, body: { valid: true, account_link_id: primary } };
    });
    const tty = { stdout: true, stderr: true, columns: 80 } as const;
    const ran = await run(LIVE, {
      tty,
      keys: ['', '', 'y'],
      onStderr: () => {
        primary = 'link-2';
      },
    });
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stderr).toContain('account_link_id: link-1 한강유통, 1234567890\n');
    const body = service.requests.findLast(({ path }) => path === '/v1/jobs')?.body ?? '{}';
    expect(JSON.parse(body)).toMatchObject({ account_link_id: 'link-1' });
  });

  it.each([
    ['its secret', ['--secret', 'pin=@pin']],
    ['its link', []],
  ])('is found again under its key with %s, also when the link is gone (D20)', async (_, more) => {
    await writeFile(join(home.dir, 'pin'), '4821');
    service.willEnd('my_union.certificates.issue', { state: 'SUCCEEDED' });
    service.route(({ path, headers }) => {
      if (path.endsWith('/request')) return { status: 200, body: { account_link_id: 'link-1' } };
      if (!headers.get('prefer')?.includes('validate-only')) return null;
      return service.jobs.length === 0
        ? { status: 200, body: { valid: true, account_link_id: 'link-1' } }
        : { status: 404, body: { code: 'ACCOUNT_LINK_NOT_FOUND' } };
    });
    const own = ['jobs', 'submit', 'my_union.certificates.issue', '--no-check', ...more];
    const argv = [...own, '--idempotency-key', 'once', '--env-scope', 'production'];
    const tty = { stdout: true, stderr: true, columns: 80 } as const;
    for (let time = 0; time < 2; time += 1) {
      const ran = await run(argv, { tty, keys: ['', '', 'y'] });
      expect(ran).toMatchObject({ code: 0 });
      expect(ran.stderr).toContain('account_link_id: link-1');
    }
    expect(service.jobs).toHaveLength(1);
  });

  it('is shown with the link and the accounts of a run over them', async () => {
    const own = ['all-accounts', 'run', 'my_union.certificates.issue', '--no-check'];
    const which = ['--link', 'link-1', '--accounts', 'account-1,account-2'];
    const tty = { stdout: true, stderr: true, columns: 80 } as const;
    const argv = [...own, ...which, '--env-scope', 'production'];
    const no = await run(argv, { tty, keys: ['', '', 'n'] });
    expect(no.code).toBe(130);
    expect(no.stderr).toContain('account_link_id: link-1\n');
    expect(no.stderr).toContain('bank_account_credential_ids: ["account-1","account-2"]\n');
    const all = [...own, '--env-scope', 'production', '--lang', 'en'];
    const widest = await run(all, { tty, keys: ['', '', 'n'] });
    expect(widest.stderr).toContain('account_link_id: all links of the institution\n');
    expect(widest.stderr).toContain('bank_account_credential_ids: all accounts\n');
  });

  it.each(['--quiet', '--json'])('is shown with every value also with %s', async (option) => {
    const tty = { stdout: true, stderr: true, columns: 80 } as const;
    const no = await run([...LIVE, option], { tty, keys: ['', '', 'n'] });
    expect(no).toMatchObject({ code: 130, stdout: '' });
    expect(no.stderr).toContain('purpose_code: 07 금융기관 제출용\n');
  });

  it('asks nothing in sandbox, where nothing is performed, and none of a check or a dry run', async () => {
    for (const words of [ISSUE, [...LIVE, '--dry-run']]) {
      expect((await run(words)).code).toBe(0);
    }
  });

  it.each([
    ['is sent unchecked', ['--no-check']],
    ['cannot be read from the service', []],
  ])('may be one that %s outside sandbox: it needs --yes (D149)', async (_, options) => {
    const own = ['jobs', 'submit', 'my_union.certificates.issue', '-p', 'purpose=loan', ...options];
    service.route(({ path }) => (path === '/openapi.json' ? new Promise(() => {}) : null));
    service.route(({ method }) => (method === 'POST' ? { status: 202, body: ACCEPTED } : null));
    expect((await run(own)).code).toBe(0);
    const live = [...own, '--env-scope', 'production'];
    sent = [];
    const refused = await run(live);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('--yes');
    const tty = { stdout: true, stderr: true, columns: 80 } as const;
    const no = await run(live, { tty, keys: ['', '', 'n'] });
    expect(no.code).toBe(130);
    expect(no.stderr).toContain('purpose: loan\n');
    expect(no.stderr).toContain('my_union.certificates.issue');
    expect(sent).not.toContain('POST');
    expect((await run([...live, '--yes'])).code).toBe(0);
    expect(sent).toContain('POST');
  });
});

describe('a question', () => {
  const asking = { tty: { stdout: true, stderr: true, columns: 160 }, keys: ['', 'n'] } as const;

  it("shows the service's text as one line, without control characters", async () => {
    const url = 'https://a.example/\u001b]0;owned\u0007\n\u009b2Jhook\u202e';
    service.route(({ path }) =>
      path === '/v1/webhooks/wh_1' ? { status: 200, body: { webhook_id: 'wh_1', url } } : null,
    );
    const { code, stderr } = await run(['webhooks', 'delete', 'wh_1'], asking);
    expect(code).toBe(130);
    expect(stderr).toContain('https://a.example/ hook(wh_1)');
    for (const control of ['\u001b]', '\u0007', '\u009b', '\u202e', 'owned']) {
      expect(stderr).not.toContain(control);
    }
  });
});
