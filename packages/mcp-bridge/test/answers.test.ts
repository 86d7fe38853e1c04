import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../server/test/support/start-server.ts';
import { type RunningHttp, serveHttp } from '../src/serve-http.ts';
import type { SettingValues } from '../src/settings.ts';
import { bridgeTo } from './support/bridge.ts';
import { connectHost, type Era, type Host } from './support/hosts.ts';

const TOKEN = 'token-of-the-test-host';
const ERA: Era = '2026-07-28 (v2 client)';
const PLAY = 'Sandbox: this is mock data, no institution was contacted.';
/** Its jobs end after the test. */
const UNENDING = { SANDBOX_DELAY_MS: '600000', SHUTDOWN_SECONDS: '0' };

let server: TestServer;
let busy: TestServer;
let http: RunningHttp;
let busyHttp: RunningHttp;
let host: Host;

async function open(to: TestServer, values: SettingValues = {}): Promise<RunningHttp> {
  const door = { token: TOKEN };
  return serveHttp(await bridgeTo(to, { values }), { listen: '127.0.0.1:0', door });
}

beforeAll(async () => {
  server = await startTestServer({ links: true });
  busy = await startTestServer({ links: true, env: UNENDING });
  http = await open(server);
  busyHttp = await open(busy);
  host = await connectHost(ERA, { url: http.url, token: TOKEN });
});
afterAll(async () => {
  await host.close();
  await Promise.all([http.close(), busyHttp.close()]);
  await server[Symbol.asyncDispose]();
  await busy[Symbol.asyncDispose]();
});

describe('what a host finds out', () => {
  it('reads all services page by page for an empty query', async () => {
    const seen: string[] = [];
    let page = await host.call('search_services', { query: '' });
    const { found } = page.data;
    for (;;) {
      expect(page.data.services.length).toBeLessThanOrEqual(20);
      seen.push(...page.data.services.map(({ service }: { service: string }) => service));
      if (!page.next) break;
      const [more] = page.next;
      page = await host.call(more.tool, more.arguments);
    }
    expect(seen).toHaveLength(39);
    expect(found).toBe(39);
    expect(new Set(seen).size).toBe(39);
  });

  it('is refused a search of more than 200 characters, which would keep everyone else waiting', async () => {
    const { error } = await host.call('search_services', { query: '계'.repeat(201) });
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENTS', fields: [{ field: 'query' }] });
    const { status } = await host.call('search_services', { query: '계'.repeat(200) });
    expect(status).toBe('OK');
  });

  it('is told which tools there was no room for', async () => {
    const everything = await open(server, { toolsets: 'all' });
    const full = await connectHost(ERA, { url: everything.url, token: TOKEN });
    const { warnings } = await full.call('session_status');
    await full.close();
    await everything.close();
    const warning = warnings.find((text: string) => text.startsWith('No room in the list'));
    expect(warning).toMatch(/: call run_service\.$/);
    const listed = full.tools.map(({ name }: { name: string }) => name);
    const left = /for (.+): call/.exec(warning)?.[1]?.split(', ') ?? [];
    expect(left.length + listed.length - 9).toBe(39);
    expect(left.filter((name) => listed.includes(name))).toEqual([]);
  });

  it.each([
    ['session_status', {}],
    ['run_service', { service: 'bank_a.accounts.list' }],
    ['run_service', { service: 'bank_a.accounts.nothing' }],
  ])('is told when by %s %j, in Korean time (D143)', async (tool, args) => {
    const { as_of: asOf } = await host.call(tool, args);
    expect(asOf).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+09:00$/);
  });

  it.each([
    ['session_status', {}],
    ['list_institutions', {}],
    ['describe_service', { service: 'bank_a.accounts.list' }],
  ])('is told today and its time zone by %s', async (tool, args) => {
    expect((await host.call(tool, args)).data).toMatchObject({
      today: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      time_zone: 'Asia/Seoul',
    });
  });

  it('gets a prompt with its argument and the tools of this bridge', async () => {
    const client = new Client({ name: 'test-host', version: '1.0.0' });
    const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(http.url), { requestInit }));
    const { prompts } = await client.listPrompts();
    expect(prompts).toHaveLength(5);
    const { messages } = await client.getPrompt({ name: 'check_connections' });
    expect(messages).toMatchObject([
      { role: 'user', content: { type: 'text', text: expect.stringContaining('session_status') } },
    ]);
    const wanting = prompts.find(({ arguments: args }) =>
      args?.some(({ name }) => name === 'period'),
    );
    const given = { name: wanting?.name ?? '', arguments: { period: '2026-10' } };
    expect(JSON.stringify(await client.getPrompt(given))).toContain('2026-10');
    await expect(client.getPrompt({ name: 'no_such_prompt' })).rejects.toThrow('no such prompt');
    await client.close();
  });
});

describe('an answer of a job', () => {
  it('says in sandbox that it is play: one job, all accounts', async () => {
    for (const args of [{}, { all_accounts: true }]) {
      const answer = await host.call('bank_c_transactions', args);
      expect(answer).toMatchObject({ status: 'SUCCEEDED', warnings: [PLAY] });
    }
    expect((await host.call('session_status')).warnings).toContain(
      'Sandbox: results are mock data.',
    );
  });

  it('tells while unfinished what is being waited for, and when to ask again', async () => {
    const waiting = await connectHost(ERA, { url: busyHttp.url, token: TOKEN });
    const started = await waiting.call('bank_a_accounts', { wait_seconds: 0 });
    const { job_id } = started;
    const read = await waiting.call('job_result', { job_id, wait_seconds: 0 });
    for (const answer of [started, read]) {
      expect(answer).toMatchObject({
        status: expect.stringMatching(/^(QUEUED|RUNNING)$/),
        progress: {
          message: expect.stringMatching(/[가-힣]/),
          retry_after_seconds: expect.any(Number),
        },
        warnings: [PLAY],
        next: [{ tool: 'job_result', arguments: { job_id } }],
      });
    }
    await waiting.close();
  });
});

describe('a secret among the arguments', () => {
  it.each([
    ['bank_b_transactions', { account_password: '7482' }],
    ['bank_b_transactions', { certificate_password: '7482' }],
    ['run_service', { service: 'bank_b.accounts.list', params: { login_password: '7482' } }],
    ['session_status', { client_secret: '7482' }],
  ])('of %s is refused with where it belongs, and not repeated: %j', async (tool, args) => {
    const answer = await host.call(tool, args);
    expect(answer).toMatchObject({
      status: 'REFUSED',
      error: { fields: [{ problem: expect.stringContaining('`changgu links create`') }] },
    });
    expect(JSON.stringify(answer)).not.toContain('7482');
  });
});

describe('the argument view', () => {
  it.each([
    [{ limits: 5 }, 'view.limits', 'did you mean limit?'],
    [{ columns: ['amount'] }, 'view.columns', 'does not exist; known: cursor, limit, fields, form'],
    [{ form: 'csv' }, 'view.form', 'must be one of rows, table, totals'],
    [{ limit: '5' }, 'view.limit', 'must be integer'],
  ])(
    '%j is refused by its name, through every tool, and nothing is submitted',
    async (view, field, problem) => {
      const jobs = async () => (await server.call('GET', '/v1/jobs?limit=100')).body.items.length;
      const before = await jobs();
      const service = 'bank_b.accounts.transaction_history.search';
      for (const answer of [
        await host.call('bank_b_transactions', { view, wait_seconds: 0 }),
        await host.call('run_service', { service, view, wait_seconds: 0 }),
      ]) {
        expect(answer).toMatchObject({
          status: 'REFUSED',
          error: { fields: [{ field, problem: expect.stringContaining(problem) }] },
        });
      }
      expect(await jobs()).toBe(before);
    },
  );

  it('is taken with all of its parts', async () => {
    const view = { cursor: 0, limit: 2, fields: ['amount'], form: 'rows' };
    const answer = await host.call('bank_b_transactions', { view });
    expect(answer.status).toBe('SUCCEEDED');
  });
});
