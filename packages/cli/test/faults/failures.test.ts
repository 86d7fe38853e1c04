import { type Fetch, type FetchAnswer, TimeoutError } from '@changgu/sdk';
import { VirtualClock } from '@changgu/sdk/testing';
import { describe, expect, it } from 'vitest';
import { sdkFailure } from '../../src/output/sdk-failure.ts';
import { ko } from '../../src/texts/ko.ts';
import { type RunOptions, testHome } from '../support/run.ts';

const ENV = {
  CHANGGU_BASE_URL: 'https://changgu.example',
  CHANGGU_CLIENT_ID: 'cli_test',
  CHANGGU_CLIENT_SECRET: 'not-to-be-shown',
};

async function list(fetch: Fetch, options: RunOptions & { argv?: string[] } = {}) {
  const { argv = [], ...others } = options;
  await using home = await testHome(ENV);
  const clock = new VirtualClock();
  return clock.runUntil(home.run(['jobs', 'list', ...argv], { fetch, clock, ...others }));
}

const failing =
  (code: string): Fetch =>
  async () => {
    throw Object.assign(new Error(`${code} not-to-be-shown`), { code });
  };

const answering =
  (status: number, body: string, headers: Record<string, string> = {}): Fetch =>
  async () =>
    new Response(body, { status, headers }) satisfies FetchAnswer;

const JSON_TYPE = { 'content-type': 'application/json' };

describe('what goes wrong on the way is told in the language of the run (D151)', () => {
  it.each([
    ['ECONNREFUSED', '서버가 연결을 거부했습니다', 'The service refused the connection'],
    ['ENOTFOUND', '서버의 이름을 찾을 수 없습니다', "Can't find the host"],
    ['CERT_HAS_EXPIRED', '안전한 연결(TLS)', 'secure connection (TLS)'],
    ['ECONNRESET', '연결이 끊겼습니다', 'connection to the service was lost'],
    ['ERR_SOCKET_CONNECTION_TIMEOUT', '제때 응답하지 않았습니다', 'did not respond in time'],
  ])('%s: the address, and what to do next; 1', async (code, ko, en) => {
    const korean = await list(failing(code));
    expect(korean).toMatchObject({ code: 1, stdout: '' });
    expect(korean.stderr).toMatch(/^오류: /);
    expect(korean.stderr).toContain(ko);
    expect(korean.stderr).toContain(ENV.CHANGGU_BASE_URL);
    expect(korean.stderr).toContain('\n  changgu doctor\n');
    expect(korean.stderr).not.toContain('not-to-be-shown');

    const english = await list(failing(code), { argv: ['--lang', 'en'] });
    expect(english.stderr).toMatch(/^Error: /);
    expect(english.stderr).toContain(en);

    const json = await list(failing(code), { argv: ['--json'] });
    expect(json).toMatchObject({ code: 1, stdout: '' });
    expect(JSON.parse(json.stderr).error).toMatchObject({
      code: 'CONNECTION_FAILED',
      system_code: code,
      exit_code: 1,
      message: expect.stringContaining(ko),
      hints: expect.arrayContaining(['changgu doctor']),
    });
  });

  it.each(['trace', 'verbose'])(
    'CHANGGU_LOG=%s, which is no level of the SDK, stops no command',
    async (level) => {
      const before = process.env.CHANGGU_LOG;
      process.env.CHANGGU_LOG = level;
      try {
        const page = JSON.stringify({ items: [], next_cursor: null });
        expect(
          await list(answering(200, page, JSON_TYPE), { env: { CHANGGU_LOG: level } }),
        ).toMatchObject({
          code: 0,
          stderr: '',
        });
      } finally {
        if (before === undefined) delete process.env.CHANGGU_LOG;
        else process.env.CHANGGU_LOG = before;
      }
    },
  );

  it('names the variable of a proxy, not its value', async () => {
    const { stderr } = await list(failing('ECONNREFUSED'), {
      env: { HTTPS_PROXY: 'http://user:not-to-be-shown@proxy.example' },
    });
    expect(stderr).toContain('HTTPS_PROXY');
    expect(stderr).not.toContain('not-to-be-shown');
  });

  it.each(['proxy:3128', 'not-to-be-shown@proxy', 'nonsense'])(
    'the address of a proxy that is none: 2',
    async (proxy) => {
      await using home = await testHome({ ...ENV, https_proxy: proxy });
      const { code, stdout, stderr } = await home.run(['jobs', 'list']);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^오류: 프록시 주소는 .*: https_proxy\n$/);
      expect(stderr).not.toContain('not-to-be-shown');
    },
  );

  it.each([
    [401, 'AUTH_INVALID_CREDENTIALS', false, 4, 'changgu login'],
    [403, 'AUTH_FORBIDDEN', false, 4, null],
    [429, 'RATE_LIMITED', true, 7, '600초 후에 다시 시도하십시오.'],
    [429, 'POLICY_QUOTA_EXCEEDED', true, 7, null],
    // More than the whole quota, and a full storage: `until changgu …; [ $? -ne 7 ]` would never end.
    [429, 'POLICY_QUOTA_EXCEEDED', false, 1, null],
    [429, 'POLICY_STORAGE_EXCEEDED', false, 1, null],
  ])('%i %s, retryable %s: what the service said, its code, and %i', async (...row) => {
    const [status, code, retryable, exit, hint] = row;
    const body = JSON.stringify({ error: { code, message: '서버의 말', retryable } });
    const ran = await list(answering(status, body, { 'retry-after': '600' }));
    expect(ran.code).toBe(exit);
    expect(ran.stderr).toContain(code);
    if (hint !== null) expect(ran.stderr).toContain(hint);
  });

  it('says what to do about a refusal, in the language of the run and as a kind in JSON', async () => {
    const code = 'POLICY_QUOTA_EXCEEDED';
    const body = JSON.stringify({ error: { code, message: 'm', retryable: true } });
    const { stderr } = await list(answering(429, body));
    expect(stderr).toContain('요금제 변경을 요청하십시오.');
    const json = await list(answering(429, body), { argv: ['--json', '--lang', 'en'] });
    expect(JSON.parse(json.stderr).error).toMatchObject({
      next_step: 'get_access',
      hints: expect.arrayContaining([expect.stringContaining('ask the operator of the service')]),
    });
  });

  it('a redirect, and an answer from another service', async () => {
    const redirect = await list(answering(302, '', { location: 'https://other.example' }));
    expect(redirect.code).toBe(1);
    expect(redirect.stderr).toContain('서버가 다른 주소로 이동하도록 응답했습니다(302)');
    const page = await list(answering(200, '<html>'));
    expect(page.code).toBe(1);
    expect(page.stderr).toContain('창구 서버의 응답이 아닙니다(200)');
  });

  it('an error that a proxy wrote, which is no word of the service', async () => {
    for (const [status, exit] of [
      [401, 4],
      [404, 1],
      [502, 1],
      [503, 7],
    ] as const) {
      const { code, stderr } = await list(answering(status, '<html>busy'), { argv: ['-q'] });
      expect(code).toBe(exit);
      expect(stderr).toContain(`창구 서버의 응답이 아닙니다(${status}): ${ENV.CHANGGU_BASE_URL}`);
      expect(stderr).toContain('\n  changgu doctor\n');
    }
  });

  it.each(['한글', 'a'.repeat(129)])(
    'a key that the service would not take: 2, in the language of the run',
    async (key) => {
      await using home = await testHome(ENV);
      const argv = ['jobs', 'submit', 'bank_b.accounts.list', '--idempotency-key', key];
      const { code, stderr } = await home.run(argv);
      expect(code).toBe(2);
      expect(stderr).toBe(`오류: 키는 ASCII 문자 1~128자로 적습니다: ${key}\n`);
    },
  );

  const never: Fetch = (_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });

  it('time that runs out while the key that encrypts is awaited', async () => {
    await using home = await testHome(ENV);
    const clock = new VirtualClock();
    const action = 'bank_b.accounts.transaction_history.search';
    const argv = ['jobs', 'submit', action, '--secret', 'account_password=@-', '--no-check'];
    const options = { fetch: never, clock, stdin: '4821' };
    const ran = await clock.runUntil(home.run([...argv, '--timeout', '2s'], options));
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('제한 시간 2초를 초과했습니다.');
  });

  it('time that runs out', async () => {
    const ran = await list(never, { argv: ['--timeout', '2s'] });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('제한 시간 2초를 초과했습니다.');
  });

  it.each([
    [
      'a submission that is wrong',
      'jobs submit a.b --no-check',
      422,
      'VALIDATION_INVALID_FIELD',
      false,
    ],
    [
      'a key that is another request',
      'jobs submit a.b --no-check',
      409,
      'IDEMPOTENCY_KEY_CONFLICT',
      true,
    ],
    ['a submission at a busy time', 'jobs submit a.b --no-check', 429, 'RATE_LIMITED', true],
    ['a list at a busy time', 'jobs list', 429, 'RATE_LIMITED', false],
    ['a list that fails', 'jobs list', 500, 'INTERNAL_ERROR', false],
  ])(
    '%s: the key is named only where a repeat needs it',
    async (_what, line, status, code, named) => {
      const retryable = status === 429 || status === 500;
      const answer = answering(
        status,
        JSON.stringify({ error: { code, message: 'no', retryable } }),
        {
          ...JSON_TYPE,
        },
      );
      for (const lang of ['ko', 'en']) {
        await using home = await testHome(ENV);
        const clock = new VirtualClock();
        const argv = [...line.split(' '), '--lang', lang];
        const { code: exit, stderr } = await clock.runUntil(
          home.run(argv, { fetch: answer, clock }),
        );
        expect(exit).not.toBe(0);
        const hints = stderr.split('\n').slice(1).join('\n');
        expect(hints).toMatch(/[.]\n$/);
        expect({ stderr, named: hints.includes('--idempotency-key') }).toEqual({ stderr, named });
      }
    },
  );

  it.each([
    ['events', 'tail'],
    ['webhooks', 'listen', '--forward', 'http://localhost:3000/'],
  ])('%s %s says once that the service cannot be reached, and keeps trying', async (...argv) => {
    await using home = await testHome(ENV);
    const clock = new VirtualClock();
    const options = { fetch: failing('ECONNREFUSED'), clock };
    const line = [...argv, '--timeout', '10m', '--lang', 'en'];
    const ran = await clock.runUntil(home.run(line, options));
    expect(ran).toMatchObject({ code: 8, stdout: '' });
    const told = "Warning: Can't connect to the service yet; trying again.\n";
    expect(ran.stderr).toBe(`${told}Error: Timed out after 600 s.\n  --timeout 10m\n`);
  });

  it('time that runs out in the middle is told as it was given, not as what was left of it', () => {
    const told = [12_000, 250, 1].map((timeoutMs) => {
      const where = { baseUrl: null, proxyVariable: null, timeoutMs };
      return sdkFailure(new TimeoutError('total', 0), ko, where)?.message;
    });
    const given = ['12', '0.25', '0.001'];
    expect(told).toEqual(given.map((time) => `제한 시간 ${time}초를 초과했습니다.`));
  });

  it('an address that a secret may not be sent to: 2, before anything is sent', async () => {
    const sent = async () => {
      throw new Error('sent');
    };
    for (const url of ['http://changgu.example', 'ftp://x', 'nonsense']) {
      const ran = await list(sent, { argv: ['--base-url', url, '-q'] });
      expect(ran.code).toBe(2);
      expect(ran.stderr).toContain('서버 주소는 https이거나');
      await using home = await testHome();
      expect(await home.run(['config', 'set', 'base_url', url])).toMatchObject({ code: 2 });
    }
    for (const url of [
      'https://me:not-to-be-shown@a.example/x',
      'https://a.example/x?key=not-to-be-shown',
    ]) {
      const ran = await list(sent, { argv: ['--base-url', url, '-q'] });
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      const words = '서버 주소에는 사용자 이름, 비밀번호, 쿼리를 쓸 수 없습니다';
      expect(ran.stderr).toContain(`${words}: https://a.example/x\n`);
      expect(ran.stderr).not.toContain('not-to-be-shown');
    }
  });
});

describe('a change whose answer was lost (D151)', () => {
  const issue = async (fetch: Fetch) => {
    await using home = await testHome(ENV);
    const clock = new VirtualClock();
    const run = (...argv: string[]) =>
      clock.runUntil(home.run(['app-credentials', 'issue', 'one', ...argv], { fetch, clock }));
    const said = await run('--lang', 'en');
    const { error } = JSON.parse((await run('--json')).stderr);
    return { said, error };
  };

  it.each([
    ['a broken connection', failing('ECONNRESET')],
    ['the page of a proxy', answering(502, '<html>')],
    // 7 would tell a script to repeat it.
    ['the page of a busy proxy', answering(503, '<html>')],
  ])('may have been made, which is said before it is repeated: %s', async (_, fetch) => {
    const { said, error } = await issue(fetch);
    expect(said.stderr).toContain('The service may have done it all the same.');
    expect(error).toMatchObject({ retryable: false, next_step: 'check_state', exit_code: 1 });
  });

  it('was not made where nothing was reached', async () => {
    const { said, error } = await issue(failing('ECONNREFUSED'));
    expect(said.stderr).not.toContain('may have done');
    expect(error).toMatchObject({ retryable: true, next_step: 'wait_and_retry' });
  });

  it.each([
    ['Ctrl-C', [], 130],
    ['--timeout', ['--timeout', '1s'], 1],
  ])('may have been made where %s cut it off', async (how, more, exitCode) => {
    await using home = await testHome(ENV);
    const clock = new VirtualClock();
    const argv = ['app-credentials', 'issue', 'one', '--lang', 'en', ...more];
    const silent: Fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    const onRequest: RunOptions['onRequest'] = (signal) => {
      if (how === 'Ctrl-C') setImmediate(() => signal('SIGINT'));
    };
    const ran = await clock.runUntil(home.run(argv, { fetch: silent, clock, onRequest }));
    expect(ran.code).toBe(exitCode);
    expect(ran.stderr).toContain('The service may have done it all the same.');
  });
});
