/** What was done but could not be printed: it is named, and the next command prints it. */
import type { Fetch } from '@changgu/sdk';
import { FakeService } from '@changgu/sdk/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAccounts, homeOf, runOn } from '../support/on-fake-service.ts';
import type { RunOptions, TestHome } from '../support/run.ts';
import { type Service, startService } from '../support/service.ts';

const LIST = 'bank_b.accounts.list';
const HISTORY = 'bank_b.accounts.transaction_history.search';

function bank(runningMs = 100) {
  const service = new FakeService()
    .willEnd(LIST, { state: 'SUCCEEDED', runningMs })
    .willEnd(HISTORY, { state: 'SUCCEEDED', runningMs });
  return addAccounts(service, ['a', 'b', 'c']);
}

const run = (service: FakeService, home: TestHome, argv: string[], options: RunOptions = {}) =>
  runOn(service, home, [...argv, '--lang', 'en'], options);

describe('accounts of a run that could not be printed', () => {
  const RUN = ['all-accounts', 'run', HISTORY];
  const RESUME = ['all-accounts', 'resume', 'last'];

  it.each(['json', 'table', 'ndjson', 'csv', 'tsv', 'id'])(
    'are all printed when it is resumed, with -o %s',
    async (format) => {
      const service = bank();
      await using home = await homeOf(service);
      const lost = await run(service, home, [...RUN, '-o', format], { isDiskFull: true });
      expect(lost.code).toBe(1);
      const resumed = await run(service, home, [...RESUME, '-o', format]);
      expect(resumed.code).toBe(0);
      for (const { id } of service.jobs) expect(resumed.stdout).toContain(id);
      expect(service.jobs).toHaveLength(3);
      const again = await run(service, home, [...RESUME, '--json']);
      expect(again).toMatchObject({ code: 0, stdout: '[]\n' });
    },
  );

  it('are printed once where Ctrl-C left time to print them', async () => {
    const service = bank(60_000).setCap(2);
    await using home = await homeOf(service);
    const stopped = await run(service, home, [...RUN, '-o', 'table'], {
      onStderr: (text, signal) => text.includes('2 of 3') && signal('SIGINT'),
    });
    expect(stopped.code).toBe(130);
    expect(stopped.stdout.match(/SUCCEEDED/g)).toHaveLength(2);
    const resumed = await run(service, home, [...RESUME, '--json=status']);
    expect(JSON.parse(resumed.stdout)).toEqual([{ status: 'SUCCEEDED' }]);
  });
});

describe('a change whose answer could not be printed', () => {
  let signedIn: Service;
  beforeAll(async () => {
    signedIn = await startService();
    const { email, password } = signedIn.server.console;
    await signedIn.home.run(['login', '--email', email, '--password-stdin'], { stdin: password });
  });
  afterAll(() => signedIn[Symbol.asyncDispose]());

  it.each([
    [[], 'changgu jobs result JOB --wait'],
    [['--wait'], 'changgu jobs result JOB'],
  ])('names the job that was submitted, with %j', async (wait, resume) => {
    const service = bank();
    await using home = await homeOf(service);
    const argv = ['jobs', 'submit', LIST, ...wait];
    const { code, stderr } = await run(service, home, [...argv, '--json'], { isDiskFull: true });
    const [job] = service.jobs;
    const id = job?.id ?? '';
    expect(code).toBe(1);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'OUTPUT_FAILED',
      job_id: id,
      idempotency_key: expect.any(String),
      resume: resume.replace('JOB', id),
    });
    const text = await run(service, home, argv, { isDiskFull: true });
    expect(text.stderr).toContain(`  ${resume.replace('JOB', service.jobs[1]?.id ?? '')}`);
  });

  it.each([
    ['tsv', 'issue', ['app-credentials', 'issue', 'x']],
    ['json', 'issue', ['app-credentials', 'issue', 'x', '--json']],
    ['table', 'issue', ['app-credentials', 'issue', 'x', '-o', 'table']],
    ['json', 'invite', ['members', 'invite', 'new@example.com', '--json']],
  ])('says that it was made, and of what, with -o %s: %s', async (format, _, argv) => {
    const { code, stderr } = await signedIn.home.run([...argv, '--lang', 'en'], {
      isDiskFull: true,
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /Only the output failed: the command has done its work \((client_id cli_|invitation_id )[-\w]+\)\. Check before you run it again\./,
    );
    if (format === 'json') expect(JSON.parse(stderr).error).toHaveProperty('exit_code', 1);
    const [, id = ''] = /_id ([-\w]+)/.exec(stderr) ?? [];
    const list = argv[0] === 'members' ? ['members', 'invitations'] : ['app-credentials', 'list'];
    expect((await signedIn.home.run(list)).stdout).toContain(id);
  });

  it.each([
    [['jobs', 'list', '-o', 'table']],
    [['jobs', 'submit', LIST, '--validate', '-o', 'table']],
  ])('says nothing of a change where there was none: %j', async (argv) => {
    const service = bank();
    await using home = await homeOf(service);
    const { stderr } = await run(service, home, argv, { isDiskFull: true });
    expect(stderr).toBe("Error: Can't write the output (no space left).\n");
  });
});

describe('an event that could not be printed', () => {
  const eventId = (n: number) => `evt_${'0'.repeat(25)}${n}`;
  const event = (n: number) => ({
    event_id: eventId(n),
    type: 'job.finished',
    occurred_at: '2026-11-21T10:00:00.000+09:00',
    subject: {},
  });
  /** Opens after the first, and has a second. */
  const streaming =
    (place: number): Fetch =>
    async () =>
      new Response(
        `id: ${eventId(place)}\n\nid: ${eventId(2)}\ndata: ${JSON.stringify(event(2))}\n\n`,
        { headers: { 'content-type': 'text/event-stream' } },
      );

  it.each([
    ['the one before it', ['--after', eventId(1)], 1, `--after ${eventId(1)}`],
    [
      'the time that was typed',
      ['--since', '2026-11-21'],
      0,
      '--since 2026-11-21T00:00:00.000+09:00',
    ],
  ])('comes again: the tail continues from %s', async (_, typed, place, expected) => {
    const service = bank();
    await using home = await homeOf(service);
    const argv = ['events', 'tail', ...typed, '-o', 'ndjson'];
    const options = { fetch: streaming(place), isDiskFull: true } as const;
    const { code, stderr } = await run(service, home, argv, options);
    expect(code).toBe(1);
    const { error } = JSON.parse(stderr);
    expect(error.code).toBe('OUTPUT_FAILED');
    expect(error.resume).toBe(`changgu events tail -o ndjson --lang en ${expected}`);
  });
});
