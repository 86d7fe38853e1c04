import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FakeService, type FateOf } from '@changgu/sdk/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { widthOf } from '../src/output/width.ts';
import { addAccounts, homeOf, runOn } from './support/on-fake-service.ts';
import type { TestHome } from './support/run.ts';

const ACTION = 'bank_b.accounts.transaction_history.search';
const RUN = ['all-accounts', 'run', ACTION, '-p', 'direction=in', '-o', 'ndjson', '-q'];
const RESUME = ['all-accounts', 'resume', 'last', '-o', 'ndjson', '-q'];

/** A bank with five accounts that takes two jobs at a time. */
function bank(fate: (account: unknown) => FateOf<typeof ACTION> = () => ({ state: 'SUCCEEDED' })) {
  const service = new FakeService()
    .setCap(2)
    .willEnd(ACTION, (params) => fate(params.bank_account_credential_id));
  return addAccounts(service, ['a', 'b', 'c', 'd', 'e']);
}

/** As another process would that works on the run. */
async function lockAsAnother(home: TestHome): Promise<void> {
  const { file } = await journalOf(home);
  const holder = { pid: 4711, since: new Date().toISOString() };
  await writeFile(file.replace(/jsonl$/, 'lock'), JSON.stringify(holder));
}

async function journalOf(home: TestHome): Promise<{ file: string; text: string }> {
  const dir = join(home.dir, '.local/state/changgu/runs');
  const [name = ''] = (await readdir(dir)).filter((one) => one.endsWith('.jsonl'));
  return { file: join(dir, name), text: await readFile(join(dir, name), 'utf8') };
}

const jobsOf = (service: FakeService) =>
  service.jobs.map(({ params }) => String(params.bank_account_credential_id)).toSorted();
const EACH = ['account-a', 'account-b', 'account-c', 'account-d', 'account-e'];

/** Ends the runs that were left in the middle of a request, so that they close their files. */
const burials: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(burials.map((bury) => bury())));

/** Runs until the n-th request of the command; there the process is gone, without a word. */
async function dieAt(
  n: number,
  when: 'before' | 'after',
  service: FakeService,
  home: TestHome,
  argv: string[],
) {
  let requests = 0;
  let interrupt = () => {};
  let die = () => {};
  const unanswered = Promise.withResolvers<never>();
  unanswered.promise.catch(() => {});
  const dead = new Promise<'dead'>((resolve) => {
    die = () => resolve('dead');
  });
  const fetch: typeof globalThis.fetch = async (input, init) => {
    requests += 1;
    if (requests < n) return service.fetch(input, init);
    if (when === 'after' && requests === n) await service.fetch(input, init);
    die();
    return unanswered.promise;
  };
  const alive = home.run(argv, {
    fetch,
    clock: service.clock,
    onSignal: (signal) => {
      interrupt = () => signal('SIGINT');
    },
  });
  burials.push(() => {
    interrupt();
    unanswered.reject(new DOMException('The run is over.', 'AbortError'));
    return service.clock.runUntil(alive);
  });
  return service.clock.runUntil(Promise.race([alive, dead]));
}

describe('all-accounts run', () => {
  it('submits every account once, in rounds, and prints each with its result', async () => {
    const service = bank();
    await using home = await homeOf(service);
    const { code, stdout } = await runOn(service, home, RUN);
    expect(code).toBe(0);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => String(line.bank_account_credential_id)).toSorted()).toEqual(EACH);
    expect(lines[0]).toMatchObject({
      status: 'SUCCEEDED',
      error: null,
      result: { data: { params_echo: { direction: 'in' } } },
    });
    expect(jobsOf(service)).toEqual(EACH);
    const status = await home.run(['runs', 'list', '--json']);
    expect(JSON.parse(status.stdout)).toMatchObject([
      {
        base_url: 'https://changgu.test',
        env_scope: 'sandbox',
        accounts: 5,
        succeeded: 5,
        failed: 0,
        open: 0,
        finished: true,
      },
    ]);
    expect((await runOn(service, home, RESUME)).stdout).toBe('');
    const again = await runOn(service, home, [...RESUME, '--all']);
    expect(again.stdout.trim().split('\n')).toHaveLength(5);
    expect(service.jobs).toHaveLength(5);
  });

  it('6 when some failed; --retry-failed submits anew those that may succeed', async () => {
    let down = true;
    const service = bank((account) => {
      if (account === 'account-b') return { state: 'FAILED', code: 'PROVIDER_CREDENTIAL_REJECTED' };
      return account === 'account-d' && down
        ? { state: 'FAILED', code: 'PROVIDER_UPSTREAM_ERROR' }
        : { state: 'SUCCEEDED' };
    });
    await using home = await homeOf(service);
    const first = await runOn(service, home, ['all-accounts', 'run', ACTION]);
    expect(first.code).toBe(6);
    expect(first.stderr).toContain('성공 3, 실패 2, 미완료 0');
    expect(first.stderr).toMatch(/changgu all-accounts resume run-\S+ --retry-failed/);
    expect(first.stdout).toMatch(
      /201\*{4}b\taccount-b\tFAILED\tjob_\w+\tPROVIDER_CREDENTIAL_REJECTED\n/,
    );

    down = false;
    const retried = await runOn(service, home, [...RESUME, '--retry-failed']);
    expect(retried.code).toBe(6);
    expect(retried.stdout.trim().split('\n')).toHaveLength(1);
    expect(jobsOf(service)).toEqual([...EACH, 'account-d'].toSorted());
    const nothing = await runOn(service, home, ['all-accounts', 'resume', '--retry-failed']);
    expect(nothing.stderr).toContain('다시 실행할 계좌가 없습니다.');
    expect(service.jobs).toHaveLength(6);
  });

  it('shows a table of all accounts to a person, at the end', async () => {
    const service = bank();
    await using home = await homeOf(service);
    const { stdout } = await runOn(service, home, ['all-accounts', 'run', ACTION], {
      tty: { stdout: true, columns: 120 },
    });
    const [head, ...rows] = stdout.trim().split('\n');
    expect(head).toContain('계좌번호');
    expect(rows).toHaveLength(5);
  });

  it('plays --sandbox-outcome in every round, also of a run that died and is resumed (D73)', async () => {
    const service = bank();
    await using home = await homeOf(service);
    const outcome = ['--sandbox-outcome', 'FAILED;code=PROVIDER_MAINTENANCE'];
    // The first request is the token, the second the first round.
    expect(await dieAt(2, 'after', service, home, [...RUN, ...outcome])).toBe('dead');
    const resumed = await runOn(service, home, RESUME);
    expect(resumed.code).toBe(6);
    const codes = resumed.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).code);
    expect(codes).toEqual(EACH.map(() => 'PROVIDER_MAINTENANCE'));
    expect(jobsOf(service)).toEqual(EACH);
    const rounds = service.requests.filter(({ path }) => path.endsWith('/all-accounts'));
    expect(rounds.length).toBeGreaterThan(2);
  });

  it('Ctrl-C leaves the jobs, says how to resume, and exits 130', async () => {
    const service = bank();
    await using home = await homeOf(service);
    const { code, stderr } = await runOn(
      service,
      home,
      ['all-accounts', 'run', ACTION, '--env-scope', 'real_test'],
      {
        onStderr: (text, signal) => text.includes('완료') && signal('SIGINT'),
      },
    );
    expect(code).toBe(130);
    const [command] = /changgu (all-accounts resume run-.*)/.exec(stderr)?.slice(1) ?? [];
    expect(command).toMatch(/--env-scope real_test$/);
    const resumed = await runOn(service, home, (command ?? '').split(' '));
    expect(resumed.code).toBe(0);
    expect(jobsOf(service)).toEqual(EACH);
  });

  it('stops when permission is lost, and continues once it is back', async () => {
    const service = bank();
    await using home = await homeOf(service);
    let calls = 0;
    const fetch: typeof globalThis.fetch = async (input, init) => {
      calls += 1;
      return service.fetch(input, calls === 3 ? { ...init, headers: {} } : init);
    };
    expect((await runOn(service, home, RUN, { fetch })).code).toBe(4);
    expect((await runOn(service, home, RESUME)).code).toBe(0);
    expect(jobsOf(service)).toEqual(EACH);
  });

  it('is not resumed in another environment or at another service', async () => {
    const service = bank();
    await using home = await homeOf(service);
    await dieAt(1, 'after', service, home, RUN);
    const elsewhere = await runOn(service, home, [...RESUME, '--env-scope', 'real_test']);
    expect(elsewhere.code).toBe(2);
    const other = await runOn(service, home, [
      ...RESUME,
      '--base-url',
      'https://other.test',
      '--json',
    ]);
    expect(JSON.parse(other.stderr).error.message).toContain('https://changgu.test');
  });

  it('gives every account a line, also those that were never submitted', async () => {
    const service = bank();
    await using home = await homeOf(service);
    let calls = 0;
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      const isRound = pathname.includes('all-accounts');
      calls += isRound ? 1 : 0;
      return service.fetch(input, isRound && calls > 1 ? { ...init, headers: {} } : init);
    };
    const stopped = await runOn(service, home, RUN, { fetch });
    expect(stopped.code).toBe(4);
    const states = stopped.stdout
      .trim()
      .split('\n')
      .map((line): string => JSON.parse(line).status);
    expect(states.toSorted()).toEqual([
      ...Array<string>(3).fill('NOT_SUBMITTED'),
      ...Array<string>(2).fill('SUCCEEDED'),
    ]);
    const listed = await home.run(['runs', 'list', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ accounts: 5, succeeded: 2, open: 3 }]);
    expect((await runOn(service, home, RESUME)).code).toBe(0);
    expect(jobsOf(service)).toEqual(EACH);
  });

  it('--timeout ends a run with 8, names the run in JSON, and leaves the jobs', async () => {
    const service = bank(() => ({ state: 'SUCCEEDED', runningMs: 3_600_000 }));
    await using home = await homeOf(service);
    const { code, stderr } = await runOn(service, home, [...RUN, '--timeout', '30s']);
    expect(code).toBe(8);
    const { error } = JSON.parse(stderr);
    expect(error).toMatchObject({ code: 'WAIT_TIMEOUT', exit_code: 8, open: 5 });
    expect(error.resume).toBe(`changgu all-accounts resume ${error.run}`);
  });

  it('a run that was refused as a whole leaves nothing to resume', async () => {
    const service = bank();
    await using home = await homeOf(service);
    const fetch: typeof globalThis.fetch = (input, init) =>
      service.fetch(input, { ...init, headers: {} });
    const refused = await runOn(service, home, ['all-accounts', 'run', ACTION], { fetch });
    expect(refused).toMatchObject({ code: 4, stdout: '' });
    expect(refused.stderr).toMatch(/^오류: /);
    expect((await home.run(['runs', 'list', '-o', 'id'])).stdout).toBe('');
    expect((await runOn(service, home, RESUME)).code).toBe(2);
  });

  it('keeps the journal of a first round whose answer was lost before a refusal (R80)', async () => {
    const service = bank();
    await using home = await homeOf(service);
    let rounds = 0;
    const fetch: typeof globalThis.fetch = async (input, init) => {
      rounds += 1;
      if (rounds === 1) await service.fetch(input, init);
      return new Response('<html>', { status: rounds === 1 ? 504 : 503 });
    };
    const stopped = await runOn(service, home, RUN, { fetch });
    expect(JSON.parse(stopped.stderr).error.resume).toMatch(/^changgu all-accounts resume run-/);
    expect((await runOn(service, home, RESUME)).code).toBe(0);
    expect(jobsOf(service)).toEqual(EACH);
  });

  it('never ends with 7, safe to repeat, once accounts are submitted (D151)', async () => {
    const service = bank();
    await using home = await homeOf(service);
    let rounds = 0;
    const body = JSON.stringify({ error: { code: 'RATE_LIMITED', message: 'm', retryable: true } });
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      rounds += pathname.includes('all-accounts') ? 1 : 0;
      return rounds > 1 ? new Response(body, { status: 429 }) : service.fetch(input, init);
    };
    const stopped = await runOn(service, home, RUN, { fetch });
    expect(stopped.code).toBe(1);
    expect(JSON.parse(stopped.stderr).error).toMatchObject({
      code: 'RATE_LIMITED',
      exit_code: 1,
      resume: expect.stringContaining('all-accounts resume run-'),
    });
    const nothing = await runOn(service, home, RUN, {
      fetch: async () => new Response(body, { status: 429 }),
    });
    expect(nothing.code).toBe(7);
  });

  it('keeps the journal of a killed run whose resumption is refused (R80)', async () => {
    const service = bank();
    await using home = await homeOf(service);
    await dieAt(1, 'after', service, home, RUN);
    const expired: typeof globalThis.fetch = (input, init) =>
      service.fetch(input, { ...init, headers: {} });
    expect((await runOn(service, home, RESUME, { fetch: expired })).code).toBe(4);
    expect((await runOn(service, home, RESUME)).code).toBe(0);
    expect(jobsOf(service)).toEqual(EACH);
  });

  it('is worked on by one process at a time', async () => {
    const service = bank();
    await using home = await homeOf(service);
    await dieAt(2, 'after', service, home, RUN);
    await lockAsAnother(home);
    const both = await runOn(service, home, RESUME, { isAlive: () => true });
    expect(both).toMatchObject({ code: 7, stdout: '' });
    expect(JSON.parse(both.stderr).error).toMatchObject({ code: 'RUN_IN_PROGRESS' });
    expect((await runOn(service, home, RESUME, { isAlive: () => false })).code).toBe(0);
    expect(jobsOf(service)).toEqual(EACH);
  });

  it('has its files downloaded, a folder for each account', async () => {
    const bytes = new TextEncoder().encode('xlsx');
    const service = bank(() => ({
      state: 'SUCCEEDED',
      data: {},
      files: [{ name: 'a.xlsx', bytes }],
    }));
    await using home = await homeOf(service);
    await runOn(service, home, RUN);
    const argv = ['artifacts', 'download', '--run', 'last', '--to', 'out', '-o', 'id'];
    const saved = await runOn(service, home, argv);
    expect(saved.code).toBe(0);
    expect(saved.stdout.trim().split('\n')).toHaveLength(5);
    expect(await readFile(join(home.dir, 'out/201____a_account-/a.xlsx'))).toEqual(
      Buffer.from(bytes),
    );
    expect((await runOn(service, home, ['artifacts', 'download'])).code).toBe(2);
    const same = [...argv, '--force', '--base-url', 'https://changgu.test/'];
    expect((await runOn(service, home, same)).code).toBe(0);
    const elsewhere = await runOn(service, home, [...argv, '--force', '--env-scope', 'real_test']);
    expect(elsewhere).toMatchObject({ code: 2, stdout: '' });
    expect(elsewhere.stderr).toContain('--base-url https://changgu.test --env-scope sandbox');
  });

  it('prints a document with --json also where a finished run has nothing to print', async () => {
    const service = bank();
    await using home = await homeOf(service);
    await runOn(service, home, RUN);
    const resumed = await runOn(service, home, ['all-accounts', 'resume', '--json']);
    expect(resumed).toMatchObject({ code: 0, stdout: '[]\n' });
    const pruned = await home.run(['runs', 'prune', '--older-than', '0s', '--json=run,finished']);
    expect(JSON.parse(pruned.stdout)).toEqual([
      { run: expect.stringMatching(/^run-/), finished: true },
    ]);
    expect(await home.run(['runs', 'prune', '--json'])).toMatchObject({ code: 0, stdout: '[]\n' });
  });

  it('prunes old runs that have finished', async () => {
    const service = bank();
    await using home = await homeOf(service);
    await runOn(service, home, RUN);
    await dieAt(2, 'after', service, home, RUN);
    expect((await home.run(['runs', 'prune'])).stderr).toContain('0개를 삭제');
    expect((await home.run(['runs', 'prune', '--older-than', '0s'])).stderr).toContain('1개');
    const left = await home.run(['runs', 'list', '--json=finished']);
    expect(JSON.parse(left.stdout)).toEqual([{ finished: false }]);
  });

  it('does not prune a run that another process is working on', async () => {
    const service = bank();
    await using home = await homeOf(service);
    await dieAt(2, 'after', service, home, RUN);
    await lockAsAnother(home);
    const prune = ['runs', 'prune', '--older-than', '0s', '--unfinished', '-o', 'id'];
    expect((await home.run(prune, { isAlive: () => true })).stdout).toBe('');
    expect((await home.run(['runs', 'list', '-o', 'id'])).stdout).toMatch(/^run-/);
    expect((await home.run(prune, { isAlive: () => false })).stdout).toMatch(/^run-/);
    expect((await home.run(['runs', 'list', '-o', 'id'])).stdout).toBe('');
  });

  it.each(['0', '-1', 'many'])('--concurrency %s is wrong usage', async (count) => {
    const service = bank();
    await using home = await homeOf(service);
    const { code, stderr } = await runOn(service, home, [...RUN, '--concurrency', count]);
    expect(code).toBe(2);
    expect(stderr).toContain('1 이상의 정수여야 합니다');
  });

  it('shows the values of the results in the table', async () => {
    const service = bank(() => ({ state: 'SUCCEEDED', data: { closing_balance: 25_947_423 } }));
    await using home = await homeOf(service);
    const { stdout } = await runOn(service, home, ['all-accounts', 'run', ACTION], {
      tty: { stdout: true, columns: 80 },
    });
    expect(stdout).toContain('25,947,423');
    for (const line of stdout.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(80);
  });

  it('leaves out on a narrow terminal what is alike for every account, not the balances', async () => {
    const balances: Record<string, number> = { 'account-a': 1_111, 'account-b': 2_222 };
    const service = bank((account) => ({
      state: 'SUCCEEDED',
      data: {
        currency: 'KRW',
        from_date: '20261101',
        to_date: '20261130',
        opening_balance: 0,
        closing_balance: balances[String(account)] ?? 3_333,
      },
    }));
    await using home = await homeOf(service);
    const { stdout, stderr } = await runOn(service, home, ['all-accounts', 'run', ACTION], {
      tty: { stdout: true, columns: 60 },
    });
    expect(stdout).toContain('1,111');
    expect(stdout).toContain('2,222');
    expect(stdout).not.toContain('20261101');
    expect(stderr).toContain('from_date');
  });

  it.each([
    [['bank_b.accounts.list'], '계좌를 선택하는 업무가 아닙니다'],
    [[ACTION, '-p', 'bank_account_credential_id=x'], '이 업무에 없는 파라미터입니다'],
    [[ACTION, '-p', 'direction=sideways'], '다음 중 하나여야 합니다'],
  ])('refuses %j before anything is sent or recorded', async (argv, words) => {
    const service = bank();
    await using home = await homeOf(service);
    const { code, stderr } = await runOn(service, home, ['all-accounts', 'run', ...argv]);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    expect(service.requests).toHaveLength(0);
    expect((await home.run(['runs', 'list', '--json'])).stdout).toBe('[]\n');
    expect((await runOn(service, home, RESUME)).code).toBe(2);
  });
});

describe('a run that died is resumed with one job per account', () => {
  it.each(['before', 'after'] as const)(
    'whichever request was the last, dying %s its answer',
    { timeout: 60_000 },
    async (when) => {
      for (let n = 1; ; n++) {
        const service = bank();
        await using home = await homeOf(service);
        const end = await dieAt(n, when, service, home, RUN);
        if (end !== 'dead') break;
        const resumed = await runOn(service, home, RESUME);
        expect({ n, code: resumed.code }).toEqual({ n, code: 0 });
        expect({ n, jobs: jobsOf(service) }).toEqual({ n, jobs: EACH });
        const [summary] = JSON.parse((await home.run(['runs', 'list', '--json'])).stdout);
        expect(summary).toMatchObject({ succeeded: 5, open: 0, finished: true });
      }
    },
  );

  it('wherever its journal was torn', { timeout: 60_000 }, async () => {
    // One round: no disk can leave behind a journal that lost a round which was sent.
    const service = bank().setCap(5);
    await using home = await homeOf(service);
    await runOn(service, home, RUN);
    const { file, text } = await journalOf(home);
    const header = text.indexOf('\n') + 1;
    expect(text.split('\n').length).toBeGreaterThan(10);
    // Every line's end and a place within it.
    const cuts = [...text.matchAll(/\n/g)].flatMap(({ index }) => [index + 1, index - 3]);
    for (const cut of cuts.filter((at) => at >= header)) {
      await writeFile(file, text.slice(0, cut));
      const { code } = await runOn(service, home, RESUME);
      expect({ cut, code }).toEqual({ cut, code: 0 });
      expect(service.jobs).toHaveLength(5);
    }
    await writeFile(file, text.slice(0, header - 3));
    expect((await runOn(service, home, RESUME)).stderr).toContain('실행 기록이 손상되었습니다');
  });

  it('the journal holds no result and is its owner’s alone', async () => {
    const service = bank(() => ({ state: 'SUCCEEDED', data: { closing_balance: 987_654 } }));
    await using home = await homeOf(service);
    const { stdout } = await runOn(service, home, RUN);
    expect(stdout).toContain('987654');
    const { file, text } = await journalOf(home);
    expect(text).not.toContain('987654');
    const { stat } = await import('node:fs/promises');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });
});
