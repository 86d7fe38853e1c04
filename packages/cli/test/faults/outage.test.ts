import type { Fetch } from '@changgu/sdk';
import { FakeService } from '@changgu/sdk/testing';
import { describe, expect, it } from 'vitest';
import { type Ran, type RunOptions, testHome } from '../support/run.ts';

const LIST = 'bank_b.accounts.list';
const HISTORY = 'bank_c.accounts.transaction_history.search';
const LOST = 'The service does not answer; trying again.\n';

const broken = async () => {
  throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
};
const proxied = async () => new Response('<html>', { status: 502 });

interface Away {
  /** Jobs run from 0.1 to 15 s. */
  readonly fromMs: number;
  readonly failure?: () => Promise<Response>;
  readonly forMs?: number;
  /** Of a job that was submitted before. */
  readonly ofJob?: true;
}

/** Runs a command at a service that is away, for ten seconds unless said otherwise. */
async function run(
  argv: readonly string[],
  { fromMs, failure = broken, forMs = 10_000, ofJob }: Away,
  options: RunOptions = {},
): Promise<Ran & { readonly service: FakeService }> {
  const service = new FakeService()
    .willEnd(LIST, { state: 'SUCCEEDED', runningMs: 14_900 })
    .willEnd(HISTORY, { state: 'SUCCEEDED', runningMs: 14_900 })
    .addBankAccounts({
      provider: 'bank_c',
      accountLinkId: 'link-1',
      bankAccountCredentialId: 'account-1',
      maskedAccountNo: '301****1',
    });
  const { clientOptions, baseUrl, clock } = service;
  await using home = await testHome({
    CHANGGU_BASE_URL: baseUrl,
    CHANGGU_CLIENT_ID: clientOptions.clientId,
    CHANGGU_CLIENT_SECRET: clientOptions.clientSecret,
  });
  const submit = ['jobs', 'submit', LIST, '-o', 'id'];
  const ids = ofJob
    ? [(await clock.runUntil(home.run(submit, { fetch: service.fetch, clock }))).stdout.trim()]
    : [];
  const from = clock.now() + fromMs;
  const fetch: Fetch = async (url, init) => {
    const isAway = clock.now() >= from && clock.now() < from + forMs;
    return isAway ? failure() : service.fetch(url, init);
  };
  const running = home.run([...argv, ...ids, '--lang', 'en'], { fetch, clock, ...options });
  return { ...(await clock.runUntil(running)), service };
}

describe('a service that goes away while a command waits, and comes back', () => {
  it.each([
    ['jobs submit', 'a broken connection', ['jobs', 'submit', LIST, '--wait'], broken],
    ['jobs submit', 'the page of a proxy', ['jobs', 'submit', LIST, '--wait'], proxied],
    ['all-accounts run', 'a broken connection', ['all-accounts', 'run', HISTORY], broken],
  ] as const)('is told once by %s, with %s', async (_, __, argv, failure) => {
    const ran = await run(argv, { fromMs: 100, failure });
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining(LOST) });
    expect(ran.stderr.split(LOST)).toHaveLength(2);
  });

  it.each(['wait', 'watch'])('does not end jobs %s that begins meanwhile', async (command) => {
    const ran = await run(['jobs', command], { fromMs: 0, forMs: 120_000, ofJob: true });
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('SUCCEEDED') });
  });
});

describe('a job of which nothing was heard until --timeout', () => {
  const never: Fetch = (_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  const refused: Fetch = async () => {
    throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  };
  const away = { fromMs: 0, forMs: 120_000, ofJob: true } as const;

  it.each([
    ['a silent service', 'wait', never],
    ['a silent service', 'watch', never],
    ['a silent service', 'result', never],
    ['a refused connection', 'wait', refused],
    ['a refused connection', 'watch', refused],
    ['a refused connection', 'result', refused],
  ])('is not told to be running: %s, jobs %s', async (_, command, fetch) => {
    const argv = ['jobs', command, ...(command === 'result' ? ['--wait'] : []), '--timeout', '3s'];
    const ran = await run([...argv, '--json'], away, { fetch });
    const id = ran.service.jobs[0]?.id;
    expect(ran.code).toBe(1);
    const { error } = JSON.parse(ran.stderr);
    expect(error).toMatchObject({
      code: expect.not.stringContaining('WAIT'),
      message: expect.stringContaining('https://changgu.test'),
      job_id: id,
      resume: `changgu jobs result ${id} --wait`,
      hints: expect.arrayContaining([`Not known to have ended: ${id}`, `changgu jobs wait ${id}`]),
    });
  });

  it.each(['wait', 'watch'])('is running where jobs %s heard so', async (command) => {
    const { code, stderr, service } = await run(['jobs', command, '--timeout', '3s'], {
      ...away,
      forMs: 0,
    });
    expect(code).toBe(8);
    expect(stderr).toContain(`Timed out waiting. Still running: ${service.jobs[0]?.id}`);
  });
});

describe('a result that could not be read after the job succeeded (D151)', () => {
  const SUBMIT = ['jobs', 'submit', LIST, '--wait'];

  it('is named with the command that reads it', async () => {
    const { code, stdout, stderr, service } = await run(SUBMIT, { fromMs: 15_000 });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    // The wait is over, and with it what tells of it: on a terminal it would be drawn for ever.
    expect(stderr).not.toContain(LOST);
    expect(stderr).toContain(
      `  The job succeeded. To read its result:\n  changgu jobs result ${service.jobs[0]?.id}\n`,
    );
  });

  it('is named in JSON, too', async () => {
    const { stderr, service } = await run([...SUBMIT, '--json'], { fromMs: 15_000 });
    const [job] = service.jobs;
    expect(JSON.parse(stderr).error).toMatchObject({
      job_id: job?.id,
      resume: `changgu jobs result ${job?.id}`,
    });
  });
});

describe('a submission whose answer was lost', () => {
  it('is sent again by a command that waits as the first one did', async () => {
    const { stderr } = await run(['jobs', 'submit', LIST, '--wait'], { fromMs: 0 });
    expect(stderr).toMatch(/\n {2}changgu jobs submit --resend \S+ --wait\n$/);
  });

  it('that was sent again is found by its key', async () => {
    const { code, stderr } = await run(['jobs', 'submit', '--resend', 'key-1'], { fromMs: 0 });
    expect(code).toBe(2);
    expect(stderr).toContain('\n  changgu jobs list --idempotency-key key-1\n');
  });
});

describe('doctor', () => {
  it('names the address in every line about the service', async () => {
    const { code, stdout } = await run(['doctor'], { fromMs: 0, failure: proxied });
    expect(code).toBe(1);
    const lines = stdout.split('\n').filter((line) => line.includes('(502)'));
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toContain('https://changgu.test');
  });
});
