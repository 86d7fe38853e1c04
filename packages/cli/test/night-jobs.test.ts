import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FakeService } from '@changgu/sdk/testing';
import { describe, expect, it } from 'vitest';
import type { Keychain } from '../src/credentials/keyring-store.ts';
import { keychain } from './support/keychain.ts';
import { type RunOptions, type TestHome, testHome } from './support/run.ts';

const HISTORY = 'bank_b.accounts.transaction_history.search';

interface Bench extends AsyncDisposable {
  readonly service: FakeService;
  readonly home: TestHome;
  run(argv: readonly string[], options?: RunOptions): ReturnType<TestHome['run']>;
}

/** A service in memory and a home that is logged in to it. */
async function startBench(service = new FakeService()): Promise<Bench> {
  const home = await testHome({
    CHANGGU_BASE_URL: service.baseUrl,
    CHANGGU_CLIENT_ID: 'cli_fake',
    CHANGGU_CLIENT_SECRET: 'fake-secret',
  });
  return {
    service,
    home,
    run: (argv, options = {}) =>
      service.clock.runUntil(
        home.run(argv, { fetch: service.fetch, clock: service.clock, ...options }),
      ),
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}

describe('a submission that a script repeats', () => {
  it('is replayed under its key, with its secret', async () => {
    await using bench = await startBench();
    const argv = ['jobs', 'submit', HISTORY, '--idempotency-key', 'night-1'];
    const secret = ['--secret', 'account_password=@-'];
    const first = await bench.run([...argv, ...secret], { stdin: '4821\n' });
    const again = await bench.run([...argv, ...secret], { stdin: '4821\n' });
    expect(again).toMatchObject({ code: 0, stdout: first.stdout });
    expect(again.stderr).toContain('같은 키로 이미 접수된 작업입니다');
    expect(bench.service.jobs).toHaveLength(1);
    const [kept = ''] = await readdir(join(bench.home.dir, '.local/state/changgu/pending'));
    const file = join(bench.home.dir, '.local/state/changgu/pending', kept);
    expect(await readFile(file, 'utf8')).not.toMatch(/\b4821\b/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('runs again under its key after a failure without effect, and not after another', async () => {
    await using bench = await startBench();
    const argv = ['jobs', 'submit', HISTORY, '--idempotency-key', 'night-1', '--wait'];
    bench.service.willEnd(HISTORY, { state: 'FAILED', code: 'PROVIDER_UPSTREAM_ERROR' });
    expect((await bench.run(argv)).code).toBe(3);
    bench.service.willEnd(HISTORY, { state: 'SUCCEEDED' });
    expect((await bench.run(argv)).code).toBe(0);
    expect((await bench.run(argv)).code).toBe(0);
    expect(bench.service.jobs).toHaveLength(2);
    const unclear = ['jobs', 'submit', HISTORY, '--idempotency-key', 'night-2', '--wait'];
    bench.service.willEnd(HISTORY, {
      state: 'FAILED',
      code: 'PROVIDER_OUTCOME_UNCONFIRMED',
      hadEffect: 'unknown',
    });
    expect((await bench.run(unclear)).code).toBe(3);
    expect((await bench.run(unclear)).code).toBe(3);
    expect(bench.service.jobs).toHaveLength(3);
  });

  it('runs again with the secret of now, not with the one that was refused (D51)', async () => {
    await using bench = await startBench();
    const argv = ['jobs', 'submit', HISTORY, '--idempotency-key', 'night-1', '--wait'];
    const submit = (secret: string) =>
      bench.run([...argv, '--secret', 'account_password=@-'], { stdin: secret });
    bench.service.willEnd(HISTORY, { state: 'FAILED', code: 'PROVIDER_CREDENTIAL_REJECTED' });
    expect((await submit('0000')).code).toBe(3);
    bench.service.willEnd(HISTORY, { state: 'SUCCEEDED' });
    expect((await submit('4821')).code).toBe(0);
    expect((await submit('4821')).code).toBe(0);
    const secrets = bench.service.jobs.map(async ({ encryptedFields }) => {
      const plain = await bench.service.decrypt(encryptedFields.account_password ?? '');
      return new TextDecoder().decode(plain);
    });
    expect(await Promise.all(secrets)).toEqual(['0000', '4821']);
  });

  it('that never arrived is sent with the secret of now (D51)', async () => {
    await using bench = await startBench();
    const argv = [
      'jobs',
      'submit',
      HISTORY,
      '--idempotency-key',
      'night-1',
      '--secret',
      'account_password=@-',
    ];
    const refuse = () => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNRESET' }));
    const keys =
      ({ fetch }: FakeService): NonNullable<RunOptions['fetch']> =>
      (url, init) =>
        init?.method === 'POST' ? refuse() : fetch(url, init);
    await bench.run(argv, { stdin: '0000', fetch: keys(bench.service) });
    expect(bench.service.jobs).toHaveLength(0);
    expect((await bench.run(argv, { stdin: '4821' })).code).toBe(0);
    const [job] = bench.service.jobs;
    const plain = await bench.service.decrypt(job?.encryptedFields.account_password ?? '');
    expect(new TextDecoder().decode(plain)).toBe('4821');
  });

  it('with other params under the same key is a conflict, as the service says', async () => {
    await using bench = await startBench();
    const argv = ['jobs', 'submit', HISTORY, '--idempotency-key', 'night-1'];
    const secret = ['--secret', 'account_password=@-'];
    await bench.run([...argv, ...secret], { stdin: '4821' });
    const other = await bench.run([...argv, ...secret, '-p', 'direction=in'], { stdin: '4821' });
    expect(other.stderr).toContain('IDEMPOTENCY_KEY_CONFLICT');
  });
});

describe('a submission whose answer was lost', () => {
  const SUBMIT = ['jobs', 'submit', HISTORY, '--idempotency-key', 'night-1'];
  const SECRET = ['--secret', 'account_password=@-'];
  const RESEND = ['jobs', 'submit', '--resend', 'night-1'];

  /** The service does its work, and every answer to a submission is lost. */
  const losing =
    ({ fetch }: FakeService): NonNullable<RunOptions['fetch']> =>
    async (url, init) => {
      const answer = await fetch(url, init);
      if (init?.method !== 'POST') return answer;
      throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    };

  it.each([401, 402, 403, 404])(
    'is kept when sending it again is refused with %i (D28)',
    async (status) => {
      await using bench = await startBench();
      await bench.run([...SUBMIT, ...SECRET], { stdin: '4821', fetch: losing(bench.service) });
      const error = { code: 'AUTH_FORBIDDEN', message: 'm', retryable: false };
      const refuse = async () => new Response(JSON.stringify({ error }), { status });
      expect((await bench.run(RESEND, { fetch: refuse })).code).not.toBe(0);
      expect((await bench.run(RESEND)).code).toBe(0);
      expect(bench.service.jobs).toHaveLength(1);
    },
  );

  it.each([
    [['bank_b.accounts.list'], `The stored submission is of another action: ${HISTORY}`],
    [['-p', 'x=1'], '--param'],
    [['--params', '{}'], '--params'],
    [['--secret', 'a=@-'], '--secret'],
    [['--link', 'nonsense'], '--link'],
    [['--idempotency-key', 'k2'], '--idempotency-key'],
    [['--sandbox-outcome', 'FAILED'], '--sandbox-outcome'],
    [['--validate'], '--validate'],
    [['--no-check'], '--no-check'],
  ])('is sent again as it was, not with %j: 2', async (others, words) => {
    await using bench = await startBench();
    await bench.run([...SUBMIT, ...SECRET], { stdin: '4821', fetch: losing(bench.service) });
    const before = bench.service.requests.length;
    const { code, stderr } = await bench.run([...RESEND, ...others, '--lang', 'en']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) });
    expect(bench.service.requests).toHaveLength(before);
    expect((await bench.run([...RESEND, HISTORY])).code).toBe(0);
  });

  it('is kept when its key is used for another request (D28)', async () => {
    await using bench = await startBench();
    await bench.run([...SUBMIT, ...SECRET], { stdin: '4821', fetch: losing(bench.service) });
    const other = [...SUBMIT, ...SECRET, '-p', 'direction=in'];
    expect((await bench.run(other, { stdin: '4821' })).stderr).toContain(
      'IDEMPOTENCY_KEY_CONFLICT',
    );
    const broken: RunOptions['fetch'] = async (url, init) =>
      init?.method === 'POST' ? new Response('', { status: 502 }) : bench.service.fetch(url, init);
    const lost = await bench.run(other, { stdin: '4821', fetch: broken });
    expect(lost.stderr).toContain('changgu jobs list --idempotency-key night-1');
    expect((await bench.run(RESEND)).code).toBe(0);
    expect(bench.service.jobs).toHaveLength(1);
  });

  it.each([
    ['environment', { CHANGGU_ENV_SCOPE: 'real_test' }],
    ['client', { CHANGGU_CLIENT_ID: 'cli_other' }],
  ])('is not sent again for another %s, where the key is another (D30)', async (_, env) => {
    await using bench = await startBench();
    await bench.run([...SUBMIT, ...SECRET], { stdin: '4821', fetch: losing(bench.service) });
    const elsewhere = await bench.run(RESEND, { env });
    expect(elsewhere.code).toBe(2);
    expect(elsewhere.stderr).toContain('다시 보낼 요청이 없습니다: night-1');
    await bench.run([...SUBMIT, ...SECRET], { env, stdin: '4821' });
    expect((await bench.run(RESEND)).code).toBe(0);
  });
});

describe('in JSON, no job is lost', () => {
  const slow = () =>
    new FakeService().willEnd(HISTORY, { state: 'SUCCEEDED', runningMs: 3_600_000 });

  it.each([
    [['jobs', 'submit', HISTORY, '--wait', '--timeout', '5s'], 8, 'WAIT_TIMEOUT'],
    [['jobs', 'submit', HISTORY, '--wait'], 130, 'INTERRUPTED'],
  ])('%j names its job and the command that resumes: %i', async (argv, exit, code) => {
    await using bench = await startBench(slow());
    const fetch: RunOptions['fetch'] = bench.service.fetch;
    let reads = 0;
    const ran = await bench.run([...argv, '--json'], {
      onRequest: (signal) => {
        reads += 1;
        if (exit === 130 && reads === 3) signal('SIGINT');
      },
      fetch,
    });
    expect(ran).toMatchObject({ code: exit, stdout: '' });
    const { error } = JSON.parse(ran.stderr);
    const [job] = bench.service.jobs;
    expect(error).toMatchObject({ code, exit_code: exit, job_id: job?.id });
    expect(error.resume).toBe(`changgu jobs result ${job?.id} --wait`);
  });

  it('names the key of a submission whose answer was lost', async () => {
    await using bench = await startBench();
    const fetch: typeof globalThis.fetch = () =>
      Promise.reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    const ran = await bench.run(['jobs', 'submit', HISTORY, '--json', '--idempotency-key', 'k1'], {
      fetch,
    });
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      idempotency_key: 'k1',
      resume: 'changgu jobs submit --resend k1',
    });
  });
});

describe('commands to type next', () => {
  it('repeat the options that decide which service they are for', async () => {
    await using bench = await startBench();
    const config = join(bench.home.dir, 'other file.toml');
    await writeFile(config, '[profiles.night]\nbase_url = "https://changgu.test"\n');
    const flags = ['--config', config, '--profile', 'night', '--env-scope', 'real_test'];
    const ran = await bench.run(['jobs', 'submit', HISTORY, ...flags], {
      tty: { stdout: true, columns: 120 },
    });
    expect(ran.stderr).toContain(
      `--wait --profile night --env-scope real_test --config '${config}'\n`,
    );
    const wrong = await bench.run(
      ['jobs', 'get', 'job_x', ...flags, '--base-url', 'https://x.test'],
      {
        fetch: () => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' })),
      },
    );
    expect(wrong.stderr).toMatch(/changgu doctor --profile night --base-url https:\/\/x\.test/);
  });
});

describe('rows for other programs', () => {
  const statement = (items: object[]) =>
    new FakeService().willEnd(HISTORY, {
      state: 'SUCCEEDED',
      data: { success: true, row_count: items.length, items },
    });
  const ROW = { row_index: 1, deposit_amount: 1000, description: '=1+1', counterparty: '가,나"다' };

  it('an empty result has the same columns and no rows', async () => {
    await using bench = await startBench(statement([]));
    const argv = ['jobs', 'submit', HISTORY, '--wait', '-q'];
    expect((await bench.run(argv)).stdout).toBe('');
    const { stdout } = await bench.run([...argv, '--header']);
    expect(stdout.split('\n')).toHaveLength(2);
    expect(stdout).toContain('transacted_at\tdeposit_amount');
  });

  it('CSV is RFC 4180; for Excel with a byte order mark and without formulas', async () => {
    await using bench = await startBench(statement([ROW]));
    const argv = ['jobs', 'submit', HISTORY, '--wait', '-q', '-o', 'csv'];
    const fields = ['--fields', 'row_index,description,counterparty'];
    const plain = await bench.run([...argv, ...fields]);
    expect(plain.stdout).toBe('row_index,description,counterparty\r\n1,=1+1,"가,나""다"\r\n');
    const excel = await bench.run([...argv, ...fields, '--bom']);
    expect(excel.stdout).toBe(
      `\uFEFFrow_index,description,counterparty\r\n1,'=1+1,"가,나""다"\r\n`,
    );
  });

  it('--jq filters JSON, and is checked before anything is sent', async () => {
    await using bench = await startBench(statement([ROW]));
    const argv = ['jobs', 'submit', HISTORY, '--wait', '--jq'];
    expect((await bench.run([...argv, '.data.items[].description'])).stdout).toBe('=1+1\n');
    const sent = bench.service.jobs.length;
    const wrong = await bench.run([...argv, '.data | ']);
    expect(wrong.code).toBe(2);
    expect((await bench.run([...argv, '.', '-o', 'csv'])).code).toBe(2);
    expect((await bench.run(['jobs', 'list', '--bom'])).code).toBe(2);
    expect((await bench.run(['config', 'path', '--fields', 'x'])).code).toBe(2);
    expect(bench.service.jobs).toHaveLength(sent);
  });
});

describe('--jq', () => {
  const ROW = { row_index: 1, description: 'a\u001b[31mb', counterparty: 'c' };
  const statement = () =>
    new FakeService().willEnd(HISTORY, {
      state: 'SUCCEEDED',
      data: { success: true, items: [ROW] },
    });

  it('takes the expression of the documentation', async () => {
    const docs = await readFile(new URL('../../../docs/cli.md', import.meta.url), 'utf8');
    const [, filter = ''] = /`--jq '([^']+)'`/.exec(docs) ?? [];
    await using bench = await startBench(statement());
    await bench.run(['jobs', 'submit', HISTORY]);
    const { stdout } = await bench.run(['jobs', 'list', '--jq', filter]);
    expect(stdout).toBe(`${bench.service.jobs[0]?.id}\n`);
  });

  it('keeps the tabs of @tsv', async () => {
    await using bench = await startBench(statement());
    const filter = '.data.items[] | [.row_index, .description, .counterparty] | @tsv';
    const { stdout } = await bench.run(['jobs', 'submit', HISTORY, '--wait', '--jq', filter]);
    expect(stdout).toBe('1\tab\tc\n');
  });

  it.each([
    ['a job that it submitted', []],
    ['a job whose result it read', ['--wait']],
  ])('that fails on the answer names %s: 1, as something was sent (D151)', async (_, options) => {
    await using bench = await startBench(statement());
    const argv = ['jobs', 'submit', HISTORY, ...options, '--jq', '.job_id | tonumber'];
    const ran = await bench.run(argv);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    const id = bench.service.jobs[0]?.id ?? '';
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      code: 'JQ_FAILED',
      exit_code: 1,
      job_id: id,
      hints: [`changgu jobs get ${id}`],
    });
  });
});

describe('a time ago', () => {
  it('is counted by the clock of the run', async () => {
    await using bench = await startBench();
    await bench.run(['jobs', 'submit', HISTORY]);
    await bench.service.clock.advance(2 * 3_600_000);
    const list = async (since: string) =>
      (await bench.run(['jobs', 'list', '--since', since, '-o', 'id'])).stdout;
    expect(await list('1h')).toBe('');
    expect(await list('3h')).not.toBe('');
  });
});

describe('dates without a zone', () => {
  it.each(['Asia/Seoul', 'America/New_York'])(
    'are Korean, wherever the machine is (%s)',
    async (zone) => {
      const before = process.env.TZ;
      process.env.TZ = zone;
      try {
        await using bench = await startBench();
        // The service's clock starts at nine in the morning of the 21st, Korean time.
        await bench.run(['jobs', 'submit', HISTORY]);
        const list = async (since: string) =>
          (await bench.run(['jobs', 'list', '--since', since, '-o', 'id'])).stdout;
        expect(await list('2026-11-21')).not.toBe('');
        expect(await list('2026-11-21T09:30')).toBe('');
        expect(await list('2026-11-20T23:00Z')).not.toBe('');
        expect(await list('2026-11-21T00:30Z')).toBe('');
        for (const since of ['Nov 21', '2026-02-30', '2026-13-01']) {
          expect((await bench.run(['jobs', 'list', '--since', since])).code).toBe(2);
        }
      } finally {
        process.env.TZ = before;
      }
    },
  );
});

describe('files', () => {
  const withFile = () =>
    new FakeService().willEnd(HISTORY, {
      state: 'SUCCEEDED',
      data: null,
      files: [{ name: 'a.xlsx', bytes: new TextEncoder().encode('xlsx') }],
    });

  it('a folder that ends in a slash is made; a missing one is named', async () => {
    await using bench = await startBench(withFile());
    const { stdout } = await bench.run(['jobs', 'submit', HISTORY]);
    const id = stdout.trim();
    await bench.run(['jobs', 'wait', id]);
    const saved = await bench.run(['artifacts', 'download', id, '--to', './new/dir/', '-o', 'id']);
    expect(saved.stdout).toBe(`${join(bench.home.dir, 'new/dir/a.xlsx')}\n`);
    const missing = await bench.run(['artifacts', 'download', id, '--to', 'no/such.xlsx']);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain(`디렉터리가 없습니다: ${join(bench.home.dir, 'no')}`);
    const dry = await bench.run(['artifacts', 'download', id, '--to', 'dry/', '-n']);
    expect(JSON.parse(dry.stdout)).toEqual({ writes: join(bench.home.dir, 'dry/a.xlsx') });
    expect(await readdir(bench.home.dir)).not.toContain('dry');
  });
});

describe('a file that does not arrive', () => {
  it.each([['./'], ['-']])('is waited for until --timeout (to %s): 8 (D151)', async (to) => {
    const service = new FakeService().willEnd(HISTORY, {
      state: 'SUCCEEDED',
      data: null,
      files: [{ name: 'a.xlsx', bytes: new TextEncoder().encode('xlsx') }],
    });
    await using bench = await startBench(service);
    const id = (await bench.run(['jobs', 'submit', HISTORY])).stdout.trim();
    await bench.run(['jobs', 'wait', id]);
    const silent: RunOptions['fetch'] = (url, init) =>
      String(url).endsWith('/result') ? service.fetch(url, init) : unanswered(init?.signal);
    const start = service.clock.now();
    const argv = ['artifacts', 'download', id, '--to', to, '--timeout', '5s'];
    const ran = await bench.run(argv, { fetch: silent });
    expect(ran).toMatchObject({ code: 8, stdout: '' });
    expect(service.clock.now() - start).toBeLessThan(6_000);
  });

  function unanswered(signal: AbortSignal | null | undefined): Promise<never> {
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  }
});

describe('the keychain', () => {
  const LOGIN = ['login', '--client-id', 'cli_fake', '--secret-stdin'];
  const ENV = { CHANGGU_CLIENT_ID: '', CHANGGU_CLIENT_SECRET: '', CHANGGU_CREDENTIAL_STORE: '' };
  const membership = () =>
    new FakeService().route(({ path }) =>
      path.endsWith('/membership/me') ? { status: 200, body: { principal_kind: 'client' } } : null,
    );

  it('is the Secret Service on Linux, never the keyring of the kernel; login says which', async () => {
    await using bench = await startBench(membership());
    const { kept, options, load: loadKeychain } = keychain();
    const io = { stdin: 'fake-secret\n', env: ENV, loadKeychain };
    const ran = await bench.run(LOGIN, io);
    expect(ran.stderr).toContain('인증 정보 저장 위치: 시스템 키링(Secret Service)');
    expect(options).toContainEqual({ linux: { store: 'secret-service' } });
    expect([...kept.keys()]).toEqual(['changgu/default']);
    expect((await bench.run(['jobs', 'list'], io)).code).toBe(0);
    const doctor = await bench.run(['doctor', '--json'], io);
    expect(JSON.parse(doctor.stdout)).toContainEqual(
      expect.objectContaining({ id: 'keychain', ok: true }),
    );
    expect([...kept.keys()]).toEqual(['changgu/default']);
  });

  it('that is locked before it is read keeps nothing of what doctor stores there', async () => {
    await using bench = await startBench(membership());
    const { kept, AsyncEntry } = keychain();
    class Locked extends AsyncEntry {
      override async getPassword(): Promise<never> {
        throw new Error('locked');
      }
    }
    const loadKeychain = async () => ({ AsyncEntry: Locked }) as unknown as Keychain;
    const doctor = await bench.run(['doctor'], { env: ENV, loadKeychain });
    expect(doctor.stdout).toContain('locked');
    expect([...kept.keys()]).toEqual([]);
  });

  it('that is missing leaves a file of its owner alone, and doctor says why', async () => {
    await using bench = await startBench(membership());
    const { load: loadKeychain } = keychain(new Error('no session bus'));
    const io = { stdin: 'fake-secret', env: ENV, loadKeychain };
    const ran = await bench.run(LOGIN, io);
    expect(ran.stderr).toContain('파일에 저장합니다(no session bus)');
    expect(ran.stderr).toContain('파일(0600)');
    const doctor = await bench.run(['doctor'], io);
    expect(doctor.stdout).toContain('no session bus');
  });

  it('of another configuration is another: login and logout touch only their own', async () => {
    await using bench = await startBench(membership());
    const { kept, load: loadKeychain } = keychain();
    const io = { stdin: 'fake-secret', env: ENV, loadKeychain };
    const other = ['--config', 'other.toml'];
    await bench.run(LOGIN, io);
    await bench.run([...LOGIN, ...other], io);
    expect(kept.size).toBe(2);
    await bench.run(['logout', ...other], io);
    expect([...kept.keys()]).toEqual(['changgu/default']);
    const file = { ...io, env: { ...ENV, CHANGGU_CREDENTIAL_STORE: 'file' } };
    await bench.run([...LOGIN, ...other, '--profile', 'b'], file);
    expect(await readdir(join(bench.home.dir, 'other.toml.credentials'))).toEqual(['b.json']);
  });

  it.each([
    [['login', '--secret-stdin', '--client-id', 'x'], '', '--secret-stdin: 값이 비어 있습니다.'],
    [['login', '--demo', 'demo.json'], '', '데모 정보 파일이 아닙니다'],
    [['login', '--demo', 'none.json'], '', '데모 정보 파일이 없습니다'],
    [['jobs', 'list', '--profile', 'nosuch'], '', '프로필이 없습니다: nosuch'],
    [['config', 'set', 'env_scope', 'sandbox', '--profile', 'nosuch'], '', '프로필이 없습니다'],
    [['encrypt'], '\n', '값이 비어 있습니다'],
  ])('%j is refused for what it is', async (argv, stdin, words) => {
    await using bench = await startBench(membership());
    await writeFile(join(bench.home.dir, 'demo.json'), '{"base_url":1}');
    const ran = await bench.run(argv, { stdin });
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(words);
  });

  it('a refused login says so, and gives no advice to log in', async () => {
    await using bench = await startBench(
      new FakeService().route(({ path }) =>
        path.endsWith('/membership/me')
          ? { status: 401, body: { error: { code: 'AUTH_INVALID_CREDENTIALS', message: 'no' } } }
          : null,
      ),
    );
    const ran = await bench.run(LOGIN, { stdin: 'x', env: ENV });
    expect(ran.code).toBe(4);
    expect(ran.stderr).toContain('서버가 로그인을 거부했습니다');
    expect(ran.stderr).not.toContain('changgu login');
  });

  it('a directory that others share keeps its mode when a configuration is written into it', async () => {
    await using home = await testHome();
    const shared = join(home.dir, 'shared');
    await mkdir(shared, { mode: 0o755 });
    await home.run(['config', 'set', 'env_scope', 'sandbox', '--config', join(shared, 'c.toml')]);
    expect((await stat(shared)).mode & 0o777).toBe(0o755);
    expect((await stat(join(shared, 'c.toml'))).mode & 0o777).toBe(0o600);
  });
});
