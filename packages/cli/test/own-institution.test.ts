import { fileURLToPath } from 'node:url';
import type { Fetch } from '@changgu/sdk';
import { FakeService } from '@changgu/sdk/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from './support/service.ts';

const CONNECTORS = fileURLToPath(
  new URL('../../../examples/own-institution/connectors.ts', import.meta.url),
);
const ISSUE = 'my_union.certificates.issue';
const UNREACHABLE = { CHANGGU_BASE_URL: 'http://127.0.0.1:1' };
const UNREAD = '주의: 서버에 추가된 자체 기관을 읽지 못했습니다: http://127.0.0.1:1\n';

let service: Service;
beforeAll(async () => {
  service = await startService({ env: { CONNECTORS } });
  // Made at the first request, which may take longer on a busy machine than the command waits.
  await service.server.call('GET', '/openapi.json');
});
afterAll(() => service[Symbol.asyncDispose]());
const run: Service['home']['run'] = (argv, options) => service.home.run(argv, options);

describe("a team's own institution in `actions` (D149)", () => {
  it('is listed after the built-in ones and searched, without credentials', async () => {
    const env = { CHANGGU_CLIENT_ID: '', CHANGGU_CLIENT_SECRET: '' };
    const all = await run(['actions', 'list', '-o', 'id'], { env });
    expect(all).toMatchObject({ code: 0, stderr: '' });
    const ids = all.stdout.trim().split('\n');
    expect(ids.slice(-2)).toEqual(['my_union.members.list', ISSUE]);
    expect(ids.length).toBeGreaterThan(30);
    const found = await run(['actions', 'list', '--search', '조합원 증명서', '-o', 'id']);
    expect(found.stdout).toBe(`${ISSUE}\n`);
    const typo = await run(['actions', 'list', '--provider', 'my_onion', '--lang', 'en']);
    expect(typo).toMatchObject({ code: 2, stdout: '' });
    expect(typo.stderr).toContain('Unknown institution: my_onion\n  Did you mean my_union?');
    const named = await run(['actions', 'list', '--provider', 'my_union', '--json=action,title']);
    expect(JSON.parse(named.stdout)).toEqual([
      { action: 'my_union.members.list', title: '조합원 명부' },
      { action: ISSUE, title: '조합원 증명서 발급' },
    ]);
  });

  it('is known to the filter of a list, which refuses a typo', async () => {
    const { email, password } = service.server.console;
    await run(['login', '--email', email, '--password-stdin'], { stdin: password });
    const env = { CHANGGU_CLIENT_ID: '', CHANGGU_CLIENT_SECRET: '' };
    for (const [argv, options] of [
      [['jobs', 'list'], {}],
      [['links', 'list'], { env }],
    ] as const) {
      const none = await run([...argv, '--provider', 'my_union', '--json'], options);
      expect(none).toMatchObject({ code: 0, stdout: '[]\n' });
      const typo = await run([...argv, '--provider', 'my_onion', '--lang', 'en'], options);
      expect(typo).toMatchObject({ code: 2, stdout: '' });
      expect(typo.stderr).toContain('Unknown institution: my_onion\n  Did you mean my_union?');
    }
  });

  it('is known to the list of its jobs also after it was removed', async () => {
    const job = { job_id: 'job_1', status: 'SUCCEEDED', submitted_at: '2026-11-21T09:00:00+09:00' };
    const fetch: Fetch = async (url, init) =>
      String(url).includes('provider=my_past')
        ? Response.json({ items: [job], next_cursor: null })
        : globalThis.fetch(url, init);
    const ran = await run(['jobs', 'list', '--provider', 'my_past', '-o', 'id'], { fetch });
    expect(ran).toMatchObject({ code: 0, stdout: 'job_1\n', stderr: '' });
  });

  it.each(['jobs', 'links'])(
    'is not looked for where the list of %s has some of it',
    async (list) => {
      const item = { job_id: 'one', account_link_id: 'one', provider: 'my_union', cert: null };
      const asked: string[] = [];
      const fetch: Fetch = async (url, init) => {
        asked.push(new URL(String(url)).pathname);
        return String(url).includes('provider=my_union')
          ? Response.json({ items: [item], next_cursor: null })
          : globalThis.fetch(url, init);
      };
      const ran = await run([list, 'list', '--provider', 'my_union', '-o', 'id'], { fetch });
      expect(ran).toMatchObject({ code: 0, stdout: 'one\n', stderr: '' });
      expect(asked).not.toContain('/openapi.json');
    },
  );

  it('is shown like the built-in ones; a wrong name is suggested', async () => {
    const { stdout } = await run(['actions', 'show', ISSUE, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      action: ISSUE,
      irreversible: true,
      params: { properties: { purpose: { type: 'string' } } },
      example: `changgu jobs submit ${ISSUE} --wait`,
    });
    expect((await run(['actions', 'show', ISSUE])).stdout).toContain('purpose\tstring');
    const wrong = await run(['actions', 'show', 'my_union.certificates.isue']);
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain(`혹시 ${ISSUE}입니까?`);
    expect(wrong.stderr).not.toContain('--no-check');
  });

  it('cannot write to the terminal, nor into the shell of who copies its example', async () => {
    const title = { ko: '\u001b[31m명부\n가짜', en: 'x' };
    const branch = { type: 'string', examples: ["$(rm it)'s"] };
    const params = { type: 'object', properties: { branch }, required: ['branch'] };
    const { body } = await service.server.call('GET', '/openapi.json');
    const [own] = body['x-own-institutions'];
    const action = { ...own.actions[0], title, params };
    const fake = new FakeService();
    fake.route(({ path }) =>
      path === '/openapi.json'
        ? { status: 200, body: { 'x-own-institutions': [{ ...own, actions: [action] }] } }
        : null,
    );
    const { baseUrl, fetch, clock } = fake;
    const { stdout } = await run(['actions', 'show', action.id, '-o', 'table'], {
      env: { CHANGGU_BASE_URL: baseUrl },
      fetch,
      clock,
    });
    expect(stdout).toMatch(/^명부 가짜 {2}my_union/);
    expect(stdout).toContain(`-p 'branch=$(rm it)'\\''s' --wait`);
  });

  it('is missing, with one warning, while the service does not answer', async () => {
    const list = await run(['actions', 'list', '-o', 'id'], { env: UNREACHABLE });
    expect(list).toMatchObject({ code: 0, stderr: UNREAD });
    expect(list.stdout).toContain('bank_b.accounts.list\n');
    expect(list.stdout).not.toContain('my_union');
    const typo = ['actions', 'list', '--provider', 'bank_x', '--lang', 'en'];
    expect(await run(typo, { env: UNREACHABLE })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('Unknown institution: bank_x\n  Did you mean bank_a?'),
    });
    const json = await run(['actions', 'list', '--json'], { env: UNREACHABLE });
    expect(json).toMatchObject({ code: 0, stderr: '' });
    const show = await run(['actions', 'show', 'bank_b.accounts.list'], { env: UNREACHABLE });
    expect(show).toMatchObject({ code: 0, stderr: '' });
    const english = await run(['actions', 'list', '--lang', 'en'], { env: UNREACHABLE });
    expect(english.stderr).toContain(
      'Failed to read the institutions that were added to the service',
    );
  });

  it('is not looked for without an address, or where a built-in institution is named', async () => {
    const env = { CHANGGU_BASE_URL: '' };
    expect(await run(['actions', 'list'], { env })).toMatchObject({ code: 0, stderr: '' });
    const one = await run(['actions', 'list', '--provider', 'bank_b'], { env: UNREACHABLE });
    expect(one).toMatchObject({ code: 0, stderr: '' });
  });

  it('is waited for three seconds', async () => {
    const slow = new FakeService();
    slow.route(({ path }) => (path === '/openapi.json' ? new Promise(() => {}) : null));
    const { baseUrl, fetch, clock } = slow;
    const start = clock.now();
    const list = await clock.runUntil(
      run(['actions', 'list'], { env: { CHANGGU_BASE_URL: baseUrl }, fetch, clock }),
    );
    expect(list.code).toBe(0);
    expect(list.stderr).toContain('읽지 못했습니다');
    expect(clock.now() - start).toBe(3000);
  });
});

describe('an action of an own institution (D149)', () => {
  it('has its params typed by its schema, and runs', async () => {
    const shown = await run(['jobs', 'submit', ISSUE, '-p', 'purpose=1', '-n', '--json']);
    expect(JSON.parse(shown.stdout).body.params).toEqual({ purpose: '1' });
    const ran = await run(['jobs', 'submit', 'my_union.members.list', '--wait', '--json']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ran.stdout)).toMatchObject({ schema: 'my_union.members.list.v1' });
  });

  it.each([
    [['-p', 'purpos=제출용'], '혹시 purpose입니까?'],
    [['--params', '{"purpose":1}'], 'purpose: 문자열 형식이어야 합니다.'],
    [['--secret', 'pin=@-'], '암호화 필드가 아닙니다: pin'],
  ])('is refused before it is sent: %j', async (options, words) => {
    const { code, stderr } = await run(['jobs', 'submit', ISSUE, ...options], { stdin: '1' });
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });

  it('that is not there, or selects no account, is refused before it is sent', async () => {
    const wrong = await run(['jobs', 'submit', 'my_union.members.lst']);
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain('혹시 my_union.members.list입니까?');
    const all = await run(['all-accounts', 'run', 'my_union.members.list']);
    expect(all).toMatchObject({ code: 2, stdout: '' });
  });

  it('goes unchecked to a service that does not say what it knows', async () => {
    const shown = await run(['jobs', 'submit', ISSUE, '-p', 'purpos=1', '-n', '-o', 'tsv'], {
      env: UNREACHABLE,
    });
    expect(shown.code).toBe(0);
    expect(shown.stderr).toContain(UNREAD);
    expect(JSON.parse(shown.stdout).body.params).toEqual({ purpos: 1 });
  });

  it('costs a built-in action no request', async () => {
    const fake = new FakeService();
    const { baseUrl, fetch, clock } = fake;
    const options = { env: { CHANGGU_BASE_URL: baseUrl }, fetch, clock };
    const sent = await clock.runUntil(run(['jobs', 'submit', 'bank_a.accounts.list'], options));
    expect(sent.code).toBe(0);
    expect(fake.requests.map(({ path }) => path)).toEqual(['/v1/jobs']);
  });
});
