import type { Fetch } from '@changgu/sdk';
import { FakeService } from '@changgu/sdk/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testHome } from './support/run.ts';
import { type Service, startService } from './support/service.ts';

const HISTORY = 'bank_b.accounts.transaction_history.search';
const INVOICES = 'tax_portal.e1.invoice_summary';
let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const run: Service['home']['run'] = (argv, options) => service.home.run(argv, options);
const submitted = async (...more: string[]) =>
  (await run(['jobs', 'submit', 'bank_a.accounts.list', ...more])).stdout.trim();

describe('jobs submit (D151)', () => {
  it('gives a pipe the id alone, and says the rest on stderr', async () => {
    const { code, stdout, stderr } = await run(['jobs', 'submit', 'bank_a.accounts.list']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^job_[0-9A-Z]{26}\n$/);
    expect(stderr).toBe(`접수했습니다: ${stdout}`);
  });

  it('types params by the catalog, encrypts secrets, and prints the result', async () => {
    const { code, stdout, stderr } = await run(
      [
        'jobs',
        'submit',
        'si_edi.b1.resources.files.download',
        '--json',
        '--wait',
        '--params',
        '@-',
        '-p',
        'dry_run=false',
      ],
      { stdin: '{"atfl_id":"F1","atch_file_sn":3}' },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout).data.params_echo).toEqual({
      atfl_id: 'F1',
      atch_file_sn: 3,
      dry_run: false,
    });
  });

  it('sends a secret from stdin, and it is in no output', async () => {
    const { code, stdout, stderr } = await run(
      ['jobs', 'submit', HISTORY, '--secret', 'account_password=@-', '--wait', '--json', '--debug'],
      { stdin: '4821\n' },
    );
    expect(code).toBe(0);
    expect(stdout + stderr).not.toMatch(/\b4821\b/);
  });

  it('finds the job of a key that was used', async () => {
    const first = await submitted('--idempotency-key', 'key-1');
    expect(await submitted('--idempotency-key', 'key-1')).toBe(first);
    const other = await run([
      'jobs',
      'submit',
      'bank_b.accounts.list',
      '--idempotency-key',
      'key-1',
      '--json',
    ]);
    expect(other.code).toBe(1);
    expect(JSON.parse(other.stderr).error).toMatchObject({
      code: 'IDEMPOTENCY_KEY_CONFLICT',
      status: 409,
      exit_code: 1,
    });
  });

  it('--dry-run shows the request without the secret and sends nothing', async () => {
    const { code, stdout } = await run(
      ['jobs', 'submit', HISTORY, '-n', '--secret', 'account_password=@-'],
      {
        stdin: '4821',
        env: { CHANGGU_BASE_URL: 'http://127.0.0.1:1' },
      },
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout).body.encrypted_fields).toEqual({
      account_password: '<encrypted>',
    });
    expect(stdout).not.toMatch(/\b4821\b/);
  });

  it('--validate lets the service check and makes no job', async () => {
    const before = await run(['jobs', 'list', '--all', '-o', 'id']);
    const { code, stdout } = await run([
      'jobs',
      'submit',
      'bank_a.accounts.list',
      '--validate',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ valid: true });
    expect(await run(['jobs', 'list', '--all', '-o', 'id'])).toEqual(before);
  });

  it.each([
    [['bank_b.acounts.list'], '혹시 bank_b.accounts.list입니까?'],
    [[HISTORY, '-p', 'fromdate=20260901'], '혹시 from_date입니까?'],
    [[HISTORY, '-p', 'from_date=Sept'], 'from_date: 형식이 올바르지 않습니다. 예: 20261101'],
    [
      [HISTORY, '-p', 'direction=up'],
      'direction: 다음 중 하나여야 합니다: all 전체, in 입금만, out 출금만',
    ],
    [[HISTORY, '-p', 'account_password=1234'], '--secret account_password=@- 옵션으로 보내십시오.'],
    [['bank_a.accounts.list', '-p', 'certPassword=1234'], '인증 정보는 한 번만 등록합니다'],
    [[HISTORY, '--secret', 'account_password=1234'], '다른 사용자가 볼 수 있습니다'],
    [[HISTORY, '--secret', 'account_pasword=@-'], '혹시 account_password입니까?'],
    [['si_edi.b1.resources.faqs.detail'], '필수 파라미터가 없습니다: qstn_sn'],
    [
      ['si_edi.b1.resources.faqs.list', '-p', 'current_page_no=one'],
      'current_page_no: 정수 형식이어야 합니다.',
    ],
    [
      ['si_edi.b1.resources.faqs.list', '-p', 'current_page_no=0'],
      'current_page_no: 1 이상이어야 합니다.',
    ],
    [['bank_a.accounts.list', '-p', 'x'], '이름=값 형식이어야 합니다: x'],
    [
      [INVOICES, '-p', 'search_types=01', '-p', 'search_types=02'],
      '같은 이름이 두 번 있습니다: search_types\n  --param search_types=…,…',
    ],
    [
      [HISTORY, '--secret', 'account_password=@-', '--secret', 'account_password=@-'],
      '같은 이름이 두 번 있습니다: account_password',
    ],
    [['bank_a.accounts.list', '--params', '[1]'], 'JSON 객체여야 합니다: --params'],
    [[], '인수가 필요합니다: action'],
  ])('refuses %j before anything is sent', async (argv, words) => {
    const { code, stdout, stderr } = await run(['jobs', 'submit', ...argv], {
      env: { CHANGGU_BASE_URL: 'http://127.0.0.1:1' },
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
  });

  it.each([
    [['nosuch'], 'changgu actions list'],
    [[], 'changgu actions list'],
    [['bank_a.accounts.list', '-p', 'certPassword=1234'], 'changgu links create <provider>'],
  ])('sends a person with %j on to a command for the same environment', async (argv, next) => {
    const { stderr } = await run(['jobs', 'submit', ...argv, '--env-scope', 'real_test']);
    expect(stderr).toContain(`\n  ${next} --env-scope real_test\n`);
  });

  it('refuses an action of an institution that the service does not have, but for --no-check', async () => {
    const argv = ['jobs', 'submit', 'own_bank.loans.list'];
    const refused = await run(argv);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('알 수 없는 업무입니다: own_bank.loans.list');
    const sent = await run([...argv, '--no-check']);
    expect(sent.code).toBe(1);
    expect(sent.stderr).toMatch(/입력값이 올바르지 않습니다\..*\(VALIDATION_INVALID_FIELD\)/);
  });

  it.each([500, 502, 504])(
    'keeps a submission that was answered with %i: the job may exist',
    async (status) => {
      const service = new FakeService();
      const { clientOptions, baseUrl, clock } = service;
      await using home = await testHome({
        CHANGGU_BASE_URL: baseUrl,
        CHANGGU_CLIENT_ID: clientOptions.clientId ?? '',
        CHANGGU_CLIENT_SECRET: clientOptions.clientSecret ?? '',
      });
      // The service accepts it; what is before it does not wait for the answer.
      const fetch: Fetch = async (url, init) => {
        await service.fetch(url, init);
        return new Response('<html>', { status });
      };
      const argv = ['jobs', 'submit', 'bank_b.accounts.list'];
      const lost = await clock.runUntil(home.run(argv, { fetch, clock }));
      expect(lost).toMatchObject({ code: 1, stdout: '' });
      const [, key = ''] = /--resend (\S+)/.exec(lost.stderr) ?? [];
      const again = ['jobs', 'submit', '--resend', key, '-o', 'id'];
      const { code, stdout } = await clock.runUntil(
        home.run(again, { fetch: service.fetch, clock }),
      );
      expect({ code, stdout }).toEqual({ code: 0, stdout: `${service.jobs[0]?.id}\n` });
      expect(service.jobs).toHaveLength(1);
    },
  );

  it.each([
    ['503', () => new Response('<html>', { status: 503 })],
    [
      '429 POLICY_QUOTA_EXCEEDED, also of a replay',
      () => {
        const error = { code: 'POLICY_QUOTA_EXCEEDED', message: 'm', retryable: true };
        return new Response(JSON.stringify({ error }), { status: 429 });
      },
    ],
  ])(
    'keeps one whose answer was lost before %s, and does not end with 7 (D151, R5)',
    async (_, refuse) => {
      const service = new FakeService();
      const { clientOptions, baseUrl, clock } = service;
      await using home = await testHome({
        CHANGGU_BASE_URL: baseUrl,
        CHANGGU_CLIENT_ID: clientOptions.clientId,
        CHANGGU_CLIENT_SECRET: clientOptions.clientSecret,
      });
      let attempts = 0;
      const fetch: Fetch = async (url, init) => {
        attempts += 1;
        if (attempts > 1) return refuse();
        await service.fetch(url, init);
        throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
      };
      const argv = ['jobs', 'submit', 'bank_b.accounts.list'];
      const lost = await clock.runUntil(home.run(argv, { fetch, clock }));
      expect(lost).toMatchObject({ code: 1, stdout: '' });
      const [, key = ''] = /--resend (\S+)/.exec(lost.stderr) ?? [];
      const again = ['jobs', 'submit', '--resend', key, '-o', 'id'];
      const found = await clock.runUntil(home.run(again, { fetch: service.fetch, clock }));
      expect(found).toMatchObject({ code: 0, stdout: `${service.jobs[0]?.id}\n` });
      expect(service.jobs).toHaveLength(1);
    },
  );

  it('keeps a submission whose answer was lost, and sends the same bytes again', async () => {
    let lose = true;
    const seen: string[] = [];
    const fetch: typeof globalThis.fetch = async (input, init) => {
      if (init?.method === 'POST') seen.push(JSON.stringify(init.body));
      const answer = await globalThis.fetch(input, init);
      if (lose && init?.method === 'POST')
        throw new TypeError('fetch failed', {
          cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
        });
      return answer;
    };
    const argv = [
      'jobs',
      'submit',
      HISTORY,
      '--secret',
      'account_password=@-',
      '--timeout',
      // Enough to read the key of the service on a busy machine.
      '4s',
    ];
    const lost = await run(argv, { stdin: '4821', fetch });
    expect(lost.code).toBe(1);
    const [, key = ''] = /--resend (\S+)/.exec(lost.stderr) ?? [];
    lose = false;
    const again = await run(['jobs', 'submit', '--resend', key], { fetch });
    expect(again.code).toBe(0);
    expect(again.stderr).toContain('같은 키로 이미 접수된 작업입니다');
    expect(new Set(seen).size).toBe(1);
    expect((await run(['jobs', 'submit', '--resend', key])).code).toBe(2);
  });
});

describe('how a job ended is the exit code (D151)', () => {
  it('3 when it failed, with the code of the failure', async () => {
    const outcome = 'FAILED;code=PROVIDER_UPSTREAM_ERROR';
    const { code, stdout, stderr } = await run([
      'jobs',
      'submit',
      'bank_a.accounts.list',
      '--wait',
      '--json',
      '--sandbox-outcome',
      outcome,
    ]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'PROVIDER_UPSTREAM_ERROR',
      exit_code: 3,
      retryable: true,
    });
  });

  it('wait: 0 when all succeeded, 3 when one did not', async () => {
    const good = await submitted();
    const bad = await submitted('--sandbox-outcome', 'TIMEOUT');
    expect(await run(['jobs', 'wait', good, '-o', 'id'])).toMatchObject({
      code: 0,
      stdout: `${good}\n`,
    });
    const both = await run(['jobs', 'wait', good, bad, '--json=job_id,status']);
    expect(both.code).toBe(3);
    expect(JSON.parse(both.stdout)).toContainEqual({ job_id: bad, status: 'TIMEOUT' });
  });

  it.each(['wait', 'watch'])('%s sees the others end where one id is wrong: 1', async (command) => {
    const [one, other] = [await submitted(), await submitted()];
    const typo = 'job_01JD0000000000000000000000';
    const argv = ['jobs', command, one, typo, other, '-o', 'ndjson', '--fields', 'job_id,status'];
    const ran = await run(argv);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain(JSON.stringify({ job_id: one, status: 'SUCCEEDED' }));
    expect(ran.stdout).toContain(JSON.stringify({ job_id: other, status: 'SUCCEEDED' }));
    const { error } = JSON.parse(ran.stderr);
    expect(error).toMatchObject({ code: 'JOB_NOT_FOUND', not_found: [typo] });
    expect(error).not.toHaveProperty('resume');
  });

  it.each([['wait'], ['watch'], ['result', '--wait']])(
    '%s refuses what is not a job id, and nothing else is waited for: 2',
    async (...command) => {
      const ran = await run(['jobs', ...command, 'nosuch', '--lang', 'en']);
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).toBe('Error: Not a job ID: nosuch\n  changgu jobs list\n');
    },
  );

  it('result --wait does not call an id that there is not a running job', async () => {
    const { code, stderr } = await run(['jobs', 'result', 'job_none', '--wait', '--lang', 'en']);
    expect(code).toBe(1);
    expect(stderr).toContain('No such job: job_none');
    expect(stderr).not.toContain('Still running');
  });

  it('4 without credentials, and with wrong ones', async () => {
    const none = await run(['jobs', 'list'], {
      env: { CHANGGU_CLIENT_ID: '', CHANGGU_CLIENT_SECRET: '' },
    });
    expect(none).toMatchObject({ code: 4, stdout: '' });
    const half = await run(['jobs', 'list'], { env: { CHANGGU_CLIENT_SECRET: '' } });
    expect(half).toMatchObject({ code: 4 });
    const wrong = await run(['jobs', 'list', '--json'], {
      env: { CHANGGU_CLIENT_SECRET: 'wrong' },
    });
    expect(wrong.code).toBe(4);
    expect(JSON.parse(wrong.stderr).error.code).toBe('AUTH_INVALID_CREDENTIALS');
  });

  it('1 for what the service refuses or cannot be reached', async () => {
    expect((await run(['jobs', 'get', 'job_none'])).code).toBe(1);
    const env = { CHANGGU_BASE_URL: 'http://127.0.0.1:1' };
    expect((await run(['jobs', 'list', '--timeout', '10ms'], { env })).code).toBe(1);
  });

  it('3 for the result of a job that did not succeed, with the reason', async () => {
    const bad = await submitted('--sandbox-outcome', 'FAILED;code=PROVIDER_UPSTREAM_ERROR');
    await run(['jobs', 'wait', bad]);
    for (const argv of [
      ['result', bad],
      ['result', bad, '--wait'],
      ['wait', bad],
    ]) {
      const { code, stderr } = await run(['jobs', ...argv]);
      expect(code).toBe(3);
      expect(stderr).toContain(`작업 ${bad}이(가) FAILED 상태로 끝났습니다: `);
      expect(stderr).toContain('(PROVIDER_UPSTREAM_ERROR)');
      expect(stderr).toContain('  잠시 후 새 --idempotency-key로 다시 제출하십시오.');
    }
  });
});

describe('reading jobs', () => {
  it('lists the newest first, as many as asked for, in every format', async () => {
    const ids = [await submitted(), await submitted(), await submitted()].reverse();
    await run(['jobs', 'wait', ...ids]);
    const lines = await run(['jobs', 'list', '-L', '3', '-o', 'id']);
    expect(lines.stdout.trim().split('\n')).toEqual(ids);
    const rows = await run(['jobs', 'list', '-L', '2']);
    expect(rows.stdout).toMatch(/^(job_\w+\tSUCCEEDED\tbank_a\.accounts\.list\t\S+\n){2}$/);
    const json = JSON.parse((await run(['jobs', 'list', '-L', '1', '--json'])).stdout);
    expect(json).toMatchObject([
      { job_id: ids[0], env_scope: 'sandbox', retry_after_seconds: null },
    ]);
    const table = await run(['jobs', 'list', '-L', '1'], { tty: { stdout: true, columns: 100 } });
    expect(table.stdout.split('\n')[0]).toMatch(/^\S*작업 .*상태/);
    expect((await run(['jobs', 'list', '--since', '2099-01-01'])).stdout).toBe('');
    expect((await run(['jobs', 'list', '--status', 'CANCELED', '--json'])).stdout).toBe('[]\n');
  });

  it('watch says that no job is open, where, and how to submit one', async () => {
    const scope = ['--env-scope', 'real_test'];
    const piped = await run(['jobs', 'watch', ...scope, '--lang', 'en']);
    expect({ code: piped.code, stdout: piped.stdout }).toEqual({ code: 0, stdout: '' });
    expect(piped.stderr).toContain(
      'No job is open in real_test. To submit one:\n  changgu jobs sub',
    );
    const korean = await run(['jobs', 'watch', ...scope], { tty: { stdout: true, columns: 80 } });
    expect(korean.stderr).toContain('real_test 환경에 진행 중인 작업이 없습니다.');
    const json = await run(['jobs', 'watch', ...scope, '--json']);
    expect(json).toMatchObject({ code: 0, stdout: '[]\n', stderr: '' });
  });

  it('gets one, with its timeline; watches and cancels it', async () => {
    const id = await submitted();
    const watched = await run(['jobs', 'watch', id, '-o', 'ndjson']);
    expect(watched.code).toBe(0);
    expect(JSON.parse(watched.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      status: 'SUCCEEDED',
      progress: 100,
    });
    const one = await run(['jobs', 'get', id, '--json=status']);
    expect(JSON.parse(one.stdout)).toEqual({ status: 'SUCCEEDED' });
    const timeline = ['jobs', 'get', id, '--timeline'];
    expect(JSON.parse((await run([...timeline, '--json'])).stdout)).toMatchObject({
      job_id: id,
      events: expect.arrayContaining([expect.objectContaining({ duration_ms: null })]),
    });
    expect((await run(timeline)).stdout).toMatch(/^20\d\d-\S+\taccepted\t/m);
    const steps = await run(timeline, { tty: { stdout: true, columns: 80 } });
    expect(steps.stdout).toMatch(/^20\d\d-\S+ \S+ +접수 /m);
    expect(steps.stdout).not.toMatch(/accepted|claimed|ended/);
    const english = await run([...timeline, '-o', 'table', '--lang', 'en']);
    expect(english.stdout).toMatch(/^20\d\d-\S+ \S+ +Accepted /m);
    expect((await run(['jobs', 'cancel', id])).stderr).toContain('JOB_ALREADY_FINISHED');
  });

  it("says in the language of the run what the service says of a field, and to programs in the wire's", async () => {
    const wrong = ['api', 'POST', '/v1/jobs', '--data', '{"provider":"bank_a"}'];
    expect((await run(wrong)).stderr).toContain('body.action: 필수 항목입니다.');
    expect((await run([...wrong, '--lang', 'en'])).stderr).toContain('body.action: Field required');
    expect((await run([...wrong, '--json'])).stderr).toContain('"msg":"Field required"');
  });

  it('names the fields that there are when one is asked for that is not', async () => {
    await submitted();
    const { code, stderr } = await run(['jobs', 'list', '--json=jobid']);
    expect(code).toBe(2);
    expect(JSON.parse(stderr).error.hints[0]).toBe('혹시 job_id입니까?');
  });
});

describe('waiting', () => {
  it('8 when the time is over and the job is still running; 130 and how to continue after Ctrl-C', async () => {
    await using slow = await startService({ env: { SANDBOX_DELAY_MS: '60000' } });
    const { stdout } = await slow.home.run(['jobs', 'submit', 'bank_a.accounts.list']);
    const id = stdout.trim();
    const timedOut = await slow.home.run([
      'jobs',
      'wait',
      id,
      '--timeout',
      '500ms',
      '--lang',
      'en',
    ]);
    expect(timedOut.code).toBe(8);
    expect(timedOut.stderr).toContain(`changgu jobs wait ${id}`);
    const open = await slow.home.run([
      'jobs',
      'result',
      id,
      '--wait',
      '--timeout',
      '500ms',
      '--json',
    ]);
    expect(open.code).toBe(8);
    expect(JSON.parse(open.stderr).error.code).toBe('WAIT_TIMEOUT');

    const interrupted = await slow.home.run(['jobs', 'wait', id], {
      onStderr: (text, signal) => text.includes('RUNNING') && signal('SIGINT'),
    });
    expect(interrupted.code).toBe(130);
    expect(interrupted.stderr).toContain(`대기를 중단했습니다. 작업은 계속됩니다: ${id}`);
    expect(interrupted.stderr).toContain(`  changgu jobs result ${id} --wait`);
    expect((await slow.home.run(['jobs', 'get', id, '--json=status'])).stdout).toContain('RUNNING');
    expect((await slow.home.run(['jobs', 'cancel', id])).code).toBe(0);
    expect((await slow.home.run(['jobs', 'wait', id])).code).toBe(3);
  });
});
