import type { Fetch } from '@changgu/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from './support/service.ts';

let service: Service;
const ids: string[] = [];
beforeAll(async () => {
  service = await startService({ links: true });
  for (let n = 0; n < 3; n++) {
    ids.push((await run('jobs', 'submit', 'bank_a.accounts.list')).stdout.trim());
  }
});
afterAll(() => service[Symbol.asyncDispose]());
const run = (...argv: string[]) => service.home.run(argv);

describe('api', () => {
  it('-i writes status and headers before the body, of an error, too', async () => {
    const found = await run('api', `/v1/jobs/${ids[0]}`, '-i');
    const [head = '', body = ''] = found.stdout.split('\n\n');
    expect(head.split('\n')[0]).toBe('HTTP 200');
    expect(head).toMatch(/^content-type: application\/json/m);
    expect(head).toMatch(/^x-trace-id: trc_/m);
    expect(JSON.parse(body).job_id).toBe(ids[0]);
    const missing = await run('api', '/v1/jobs/job_01JD0000000000000000000000', '--include');
    expect(missing.code).toBe(1);
    expect(missing.stdout).toMatch(/^HTTP 404\n/);
    expect(missing.stdout).toMatch(/^content-type: application\/json/m);
    expect(missing.stderr).toContain('JOB_NOT_FOUND');
    const without = await run('api', `/v1/jobs/${ids[0]}`);
    expect(without.stdout).not.toContain('HTTP');
  });

  it('sends a question mark in a value of the query (RFC 3986)', async () => {
    const sent: string[] = [];
    const fetch: Fetch = async (url) => {
      sent.push(new URL(url).search);
      return Response.json({});
    };
    await service.home.run(['api', '/v1/audit?actor_id=a?b&act=x'], { fetch });
    expect(sent).toEqual([`?${new URLSearchParams({ actor_id: 'a?b', act: 'x' })}`]);
  });

  it('sends each value of a field that a GET repeats, also in the path', async () => {
    const sent: string[] = [];
    const fetch: Fetch = async (url) => {
      sent.push(new URL(url).search);
      return Response.json({});
    };
    const invoices = '/v1/billing/invoices';
    for (const argv of [
      [invoices, '-f', 'status=OPEN', '-f', 'status=PAID'],
      [`${invoices}?status=OPEN`, '-F', 'status=PAID'],
      [invoices, '-F', 'status=["OPEN","PAID"]'],
    ]) {
      await service.home.run(['api', ...argv], { fetch });
    }
    expect(sent).toEqual(Array(3).fill('?status=OPEN&status=PAID'));
    const body = await run('api', 'POST', '/v1/jobs', '-f', 'action=a', '-f', 'action=b');
    expect(body).toMatchObject({ code: 2, stderr: expect.stringContaining('action') });
  });

  it('--paginate reads every page and gives one document, which --jq filters', async () => {
    const one = JSON.parse((await run('api', '/v1/jobs', '-F', 'limit=1')).stdout);
    expect(one.items).toHaveLength(1);
    const all = JSON.parse((await run('api', '/v1/jobs?limit=1', '--paginate')).stdout);
    expect(all.items.map(({ job_id: id }: { job_id: string }) => id)).toEqual(ids.toReversed());
    expect(all.next_cursor).toBeNull();
    const jq = await run('api', '/v1/jobs?limit=2', '--paginate', '--jq', '.items[].job_id');
    expect(jq.stdout).toBe(
      ids
        .toReversed()
        .map((id) => `${id}\n`)
        .join(''),
    );
    const heads = await run('api', '/v1/jobs?limit=1', '--paginate', '-i');
    expect(heads.stdout.match(/^HTTP 200$/gm)).toHaveLength(3);
  });

  it.each([
    ['ever-new cursors', (page: number) => `c${page}`, 100],
    ['cursors in a circle', (page: number) => `c${page % 3}`, 4],
  ])(
    '--paginate of empty pages with %s ends with an error that says so',
    async (_what, cursor, read) => {
      let pages = 0;
      const fetch: Fetch = async () => Response.json({ items: [], next_cursor: cursor(++pages) });
      const { code, stdout, stderr } = await service.home.run(['api', '/v1/jobs', '--paginate'], {
        fetch,
      });
      expect({ code, stdout, pages }).toEqual({ code: 1, stdout: '', pages: read });
      expect(stderr).toContain('100 pages in a row are empty');
    },
  );

  it('a list of empty pages without an end is an error that says so', async () => {
    let pages = 0;
    const fetch: Fetch = async () => Response.json({ items: [], next_cursor: `c${++pages}` });
    const { code, stdout, stderr } = await service.home.run(['jobs', 'list'], { fetch });
    expect({ code, stdout, pages }).toEqual({ code: 1, stdout: '', pages: 100 });
    expect(stderr).toContain('100 pages in a row are empty');
  });

  it.each([
    ['--data', '{"action":"bank_b.accounts.list"}'],
    ['--idempotency-key', 'key-1'],
  ])('%s without a method is wrong usage: a GET would ignore it', async (option, value) => {
    const { code, stdout, stderr } = await run('api', '/v1/jobs', option, value);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(`오류: ${option} 옵션은 GET에서 사용할 수 없습니다.\n`);
  });

  it('an invalid --jq expression, and --paginate of a change, are wrong usage before anything is sent', async () => {
    const wrong = await run('api', 'POST', '/v1/jobs', '-F', 'a=1', '--jq', '.items[');
    expect(wrong.code).toBe(2);
    expect((await run('api', 'POST', '/v1/jobs', '--paginate')).code).toBe(2);
  });
});

describe('open', () => {
  const terminal = { stdin: true, stdout: true, stderr: true, columns: 80 } as const;

  it.each([
    [[], '/console'],
    [['docs'], '/docs'],
    [['keys'], '/console/keys'],
    [['job_01JD0000000000000000000000'], '/console/jobs/job_01JD0000000000000000000000'],
    [
      ['c0f3a1d2-5a6e-4c8b-9b1d-3f2e1a0b9c8d'],
      '/console/links/c0f3a1d2-5a6e-4c8b-9b1d-3f2e1a0b9c8d',
    ],
    [['bank_b.accounts.list'], '/console/catalog/bank_b.accounts.list'],
  ])('%j prints an address that the service answers', async (argv, path) => {
    const { stdout, code } = await run('open', ...argv);
    expect({ stdout, code }).toEqual({ stdout: `${service.server.url}${path}\n`, code: 0 });
    expect((await fetch(stdout.trim())).status).toBe(200);
  });

  it('opens it at a terminal with a browser; over SSH, in a pipe and in a dry run it does not', async () => {
    const opened: string[] = [];
    const open = (env: Record<string, string>, ...more: string[]) =>
      service.home.run(['open', 'jobs', ...more], {
        tty: terminal,
        env: { TERM: 'xterm', ...env },
        openBrowser: async (address) => void opened.push(address),
      });
    const address = `${service.server.url}/console/jobs`;
    const shown = await open({ DISPLAY: ':0' });
    expect(opened).toEqual([address]);
    expect(shown).toMatchObject({ stdout: `${address}\n`, stderr: '브라우저에서 엽니다.\n' });
    expect(await open({ DISPLAY: ':0', SSH_CONNECTION: '1' })).toMatchObject({
      stdout: `${address}\n`,
      stderr: '',
    });
    expect((await open({ DISPLAY: ':0' }, '--dry-run')).stdout).toContain('"runs"');
    expect((await open({}, '--json')).stdout).toContain(`"address": "${address}"`);
    expect(opened).toHaveLength(1);
  });

  it('an unknown page is wrong usage that names those there are', async () => {
    const { code, stderr } = await run('open', 'jbos');
    expect(code).toBe(2);
    expect(stderr).toContain('console, docs, jobs');
  });
});
