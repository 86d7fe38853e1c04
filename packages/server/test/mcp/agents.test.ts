import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelTokens as tokens } from '../../../contract/test/model-tokens.ts';
import { createHurriedTimers } from '../../src/engine/testing/hurried-timers.ts';
import { callTool, postMcp } from '../support/mcp-call.ts';
import {
  demoCertificates,
  type RealTestServer,
  startRealTestServer,
} from '../support/real-test-server.ts';

const REAL = { env: 'real_test' };
const HISTORY = 'bank_b__accounts__transaction_history__search';
const ISSUE = 'tax_portal__c1__vat_standard';

const timers = createHurriedTimers();
let real: RealTestServer;
beforeAll(async () => {
  real = await startRealTestServer({}, { timers });
});
afterAll(() => real[Symbol.asyncDispose]());

const call = async (name: string, args: Record<string, unknown> = {}, options = REAL) =>
  (await callTool(real.server, name, args, options)).body.result;
const structured = async (name: string, args: Record<string, unknown> = {}) =>
  (await call(name, args)).structuredContent;

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

describe('what an agent finds out', () => {
  it('is told today, its rights, the links and their accounts', async () => {
    const answer = await structured('changgu__accounts__list');
    expect(answer).toMatchObject({
      today: expect.stringMatching(/^\d{4}-?\d\d-?\d\d$/),
      time_zone: 'Asia/Seoul',
      env_scope: 'real_test',
      key: { allowed_actions: 'all', irreversible_actions: true },
    });
    const bank = answer.links.find(({ provider }: { provider: string }) => provider === 'bank_c');
    expect(bank.accounts).toHaveLength(4);
    expect(JSON.stringify(answer).replaceAll(UUID, '')).not.toMatch(/\d{10}/);
  });

  it('finds, describes and runs actions that are not in its list', async () => {
    const taxOnly = { ...REAL, headers: { 'x-mcp-toolsets': 'tax' } };
    const ask = async (name: string, args: Record<string, unknown>) =>
      (await call(name, args, taxOnly)).structuredContent;
    const found = await ask('changgu__actions__search', { query: '자주 묻는 질문 목록' });
    const { action } = found.actions[0];
    expect(action).toBe('si_edi.b1.resources.faqs.list');
    const described = await ask('changgu__actions__describe', { action });
    expect(described).toMatchObject({ usage_tokens: 1, login: 'si_edi.auth.session.login' });
    const early = await ask('changgu__actions__run', { action });
    expect(early.error.next_action).toContain('si_edi.auth.session.login');
    await ask('changgu__actions__run', { action: 'si_edi.auth.session.login' });
    const ran = await ask('changgu__actions__run', { action, params: { srch_txt: '고용' } });
    expect(ran.status).toBe('SUCCEEDED');
  });

  it('is refused a search of more than 200 characters, which would keep everyone else waiting', async () => {
    const search = (query: string) => structured('changgu__actions__search', { query });
    expect(await search('계'.repeat(201))).toMatchObject({
      status: 'REFUSED',
      error: { code: 'VALIDATION_INVALID_FIELD', fields: [{ field: 'query' }] },
    });
    expect(await search('계'.repeat(200))).toEqual({ found: 0, actions: [] });
  });

  it('is shown every public tool for at most 6,000 tokens, and calls each by its name (R111)', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const { body } = await postMcp(real.server, list, REAL);
    const names: string[] = body.result.tools.map(({ name }: { name: string }) => name);
    expect(tokens(body)).toBeLessThanOrEqual(6_000);
    expect(names.filter((name) => name.startsWith('si_edi__'))).toHaveLength(13);
    for (const name of ['si_edi__auth__session__login', 'si_edi__b1__resources__faqs__list']) {
      expect(await structured(name)).toMatchObject({ status: 'SUCCEEDED' });
    }
  });

  it('sends a request_id to the tools of the service too, where it changes nothing (D125)', async () => {
    const request_id = 'every-call';
    const { links } = await structured('changgu__accounts__list', { request_id });
    expect(links.length).toBeGreaterThan(0);
    const { job_id } = await structured('tax_portal__s1__login', { request_id });
    for (const name of ['changgu__job__result', 'changgu__actions__run']) {
      const args = name.endsWith('run') ? { action: 'tax_portal.s1.login' } : { job_id };
      expect(await structured(name, { ...args, request_id })).toMatchObject({ job_id });
    }
  });

  it('calls by name what its list shows, and nothing else of the same key (D163)', async () => {
    const login = 'si_edi__auth__session__login';
    for (const [name, toolsets] of [
      [HISTORY, 'none'],
      [login, 'bank,tax'],
    ] as const) {
      const narrow = { ...REAL, headers: { 'x-mcp-toolsets': toolsets } };
      expect((await callTool(real.server, name, {}, narrow)).body.error).toEqual({
        code: -32602,
        message: expect.stringContaining('changgu__actions__run'),
      });
    }
    const insurance = { ...REAL, headers: { 'x-mcp-toolsets': 'insurance' } };
    const shown = await callTool(real.server, login, {}, insurance);
    expect(shown.body.result.structuredContent.status).toBe('SUCCEEDED');
  });

  it('is led only to tools that it can call (D163)', async () => {
    const noTools = { ...REAL, headers: { 'x-mcp-toolsets': 'none' } };
    const found = await call('changgu__actions__search', { query: '' }, noTools);
    expect(JSON.stringify(found.structuredContent.actions)).not.toContain('__');
  });

  it('reads all actions page by page for an empty query', async () => {
    let [found, at] = [0, 0];
    for (let cursor: number | undefined = 0; cursor !== undefined; ) {
      const page = await structured('changgu__actions__search', { query: '', cursor });
      at += page.actions.length;
      found = page.found;
      cursor = page.next_page?.tool_call.arguments.cursor;
    }
    expect(at).toBe(found);
    expect(found).toBe(39);
  });
});

describe('a result', () => {
  it('is read whole for less than 8,000 tokens, and by view for less', async () => {
    const year = { from_date: '20251201', to_date: '20261120' };
    let page = await structured(HISTORY, year);
    expect(tokens(page)).toBeLessThanOrEqual(8_000);
    const { row_count: count, items } = page.result.data;
    expect(items.columns).toContain('balance_after');
    expect(items.untrusted_text.columns).toContain('description');
    let seen = items.rows.length;
    while (page.next_page) {
      const { name, arguments: args } = page.next_page.tool_call;
      page = await structured(name, args);
      seen += page.result.data.items.rows.length;
    }
    expect(seen).toBe(count);
    const totals = await structured(HISTORY, { ...year, view: { form: 'totals' } });
    expect(totals.result.data).toMatchObject({
      row_count: count,
      deposit_total: expect.any(Number),
    });
    expect(tokens(totals)).toBeLessThan(400);
    const view = { limit: 2, fields: ['deposit_amount'] };
    const few = await structured(HISTORY, { ...year, view });
    expect(few.result.data.items).toEqual([
      { deposit_amount: expect.any(Number) },
      { deposit_amount: expect.any(Number) },
    ]);
  });
});

describe('a call on all accounts that failed', () => {
  const HISTORY_C = 'bank_c__accounts__transaction_history__search';
  /** A few rows, so that all four accounts fit into one answer whatever the day. */
  const DAYS = { from_date: '20260701', to_date: '20260703' };
  const bankC = async (state: 'DOWN' | 'HEALTHY') => {
    const answer = await fetch(`${real.simulators.controlUrl}/bank_c/state`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ state }),
    });
    expect(answer.ok).toBe(true);
  };

  it('is made again for the failed accounts by the call that it names', async () => {
    await bankC('DOWN');
    const failed = await timers.hurry(() => structured(HISTORY_C, { ...DAYS, all_accounts: true }));
    await bankC('HEALTHY');
    const ids = failed.accounts.map(
      (line: { bank_account_credential_id: string }) => line.bank_account_credential_id,
    );
    const { name, arguments: args } = failed.next_failed.tool_call;
    expect([name, args.bank_account_credential_ids]).toEqual([HISTORY_C, ids]);
    const again = await structured(name, args);
    expect(again.accounts.map(({ status }: { status: string }) => status)).toEqual(
      ids.map(() => 'SUCCEEDED'),
    );
  }, 60_000);

  it('runs again under its request_id where nothing had taken effect, and never under the header (D125, D32)', async () => {
    const args = { ...DAYS, all_accounts: true, request_id: 'month-end' };
    const [first] = (await structured('changgu__accounts__list', { provider: 'bank_c' })).links;
    const one = first.accounts[0].bank_account_credential_id;
    const done = await structured(HISTORY_C, {
      ...DAYS,
      bank_account_credential_ids: [one],
      request_id: 'month-end',
    });
    await bankC('DOWN');
    const failed = await timers.hurry(() => structured(HISTORY_C, args));
    await bankC('HEALTHY');
    const jobs = ({ accounts }: { accounts: { job_id: string }[] }) =>
      accounts.map(({ job_id }) => job_id);
    const states = ({ accounts }: { accounts: { status: string }[] }) =>
      accounts.map(({ status }) => status);
    expect(states(failed).sort()).toEqual(['FAILED', 'FAILED', 'FAILED', 'SUCCEEDED']);
    const { request_id: key, ...unnamed } = args;
    const inHeader = { ...REAL, headers: { 'idempotency-key': key } };
    const replayed = (await call(HISTORY_C, unnamed, inHeader)).structuredContent;
    expect(jobs(replayed)).toEqual(jobs(failed));
    const again = await structured(HISTORY_C, args);
    expect(states(again)).toEqual(Array(4).fill('SUCCEEDED'));
    expect(jobs(again).filter((id) => jobs(failed).includes(id))).toEqual(jobs(done));
    expect(jobs(await structured(HISTORY_C, args))).toEqual(jobs(again));
  }, 60_000);
});

describe('an act that cannot be undone (D169)', () => {
  const jobs = async () => {
    const { items } = await real.client.jobs.list({ limit: 100 });
    return items.filter(({ action }) => action === 'tax_portal.c1.vat_standard').length;
  };

  it('is done only with the token of the summary that the person saw', async () => {
    const before = await jobs();
    await structured('tax_portal__s1__login');
    const args = { request_id: 'issue-1', purpose_code: '07' };
    const asked = await structured(ISSUE, args);
    expect(asked).toMatchObject({
      status: 'CONFIRMATION_REQUIRED',
      summary: expect.stringContaining('- 사용용도: 금융기관 제출용'),
    });
    const { confirm_token } = asked.next_step.arguments;
    const other = await call(ISSUE, { ...args, purpose_code: '04', confirm_token });
    expect(other).toMatchObject({ isError: true, structuredContent: { status: 'REFUSED' } });
    expect(other.content[0].text).toMatch(/^CONFIRM_TOKEN_INVALID: .*confirm_token 없이/);
    const odd = await structured(ISSUE, { ...args, confirm_token: 1 });
    expect(odd.error.fields).toMatchObject([{ field: 'confirm_token' }]);
    expect(await jobs()).toBe(before);
    const issued = await structured(asked.next_step.tool, asked.next_step.arguments);
    expect(issued).toMatchObject({ status: 'SUCCEEDED' });
    expect(await structured(ISSUE, asked.next_step.arguments)).toMatchObject({
      job_id: issued.job_id,
    });
    // No one is asked about what is done already, nor once the token has expired.
    expect(await structured(ISSUE, args)).toMatchObject({ job_id: issued.job_id });
    await real.advance(16 * 60);
    expect(await structured(ISSUE, asked.next_step.arguments)).toMatchObject({
      job_id: issued.job_id,
    });
    expect(await jobs()).toBe(before + 1);
  });

  it('runs under the same request_id once a login resolved what kept it from taking effect (D125)', async () => {
    const count = await jobs();
    await real.advance(21 * 60);
    const args = { request_id: 'issue-2', purpose_code: '07' };
    const login = { request_id: 'login-2' };
    await structured('tax_portal__s1__login', login);
    await real.advance(21 * 60);
    const asked = await structured(ISSUE, args);
    const confirmed = asked.next_step.arguments;
    const failed = await structured(ISSUE, confirmed);
    expect(failed).toMatchObject({ status: 'FAILED', had_effect: 'no' });
    expect(failed.error.next_action).toContain('tax_portal__s1__login');
    // The session that this very login had made is gone, so it is made again.
    expect((await structured('tax_portal__s1__login', login)).status).toBe('SUCCEEDED');
    const issued = await structured(ISSUE, confirmed);
    expect(issued.status).toBe('SUCCEEDED');
    expect(issued.job_id).not.toBe(failed.job_id);
    expect((await structured(ISSUE, confirmed)).job_id).toBe(issued.job_id);
    expect(await jobs()).toBe(count + 2);
  }, 60_000);

  it.each([
    ['CONFIRMATION_REQUIRED', { allow_irreversible_tools: true }],
    ['REFUSED', {}],
    ['REFUSED', { read_only: true }],
    ['REFUSED', { allow_irreversible_tools: true, allowed_actions: ['bank_b.accounts.list'] }],
  ])('is, through the tool that runs any action, %s for a key with %j', async (status, limits) => {
    const { server } = real;
    const { body: key } = await server.call('POST', '/v1/app-credentials', {
      headers: {
        authorization: `Bearer ${server.adminToken}`,
        'x-organization-id': String(server.organizationId),
      },
      body: { label: 'limited', allowed_env_scopes: ['real_test'], ...limits },
    });
    const pair = Buffer.from(`${key.client_id}:${key.client_secret}`).toString('base64');
    const args = {
      action: 'tax_portal.c1.vat_standard',
      params: { purpose_code: '07' },
      request_id: 'limited',
    };
    const before = await jobs();
    const headers = { authorization: `Basic ${pair}` };
    const { body } = await callTool(server, 'changgu__actions__run', args, { ...REAL, headers });
    expect(body.result.structuredContent.status).toBe(status);
    const isAsked = status === 'CONFIRMATION_REQUIRED';
    expect(JSON.stringify(body).includes('confirm_token')).toBe(isAsked);
    expect(await jobs()).toBe(before);
  });

  it.each([
    ['accept', 'SUCCEEDED'],
    ['decline', 'REFUSED'],
  ] as const)('is asked about where the caller can be asked: %s', async (action, status) => {
    const questions: string[] = [];
    const client = new Client(
      { name: 'host', version: '1.0.0' },
      {
        capabilities: { elicitation: { form: {} } },
        versionNegotiation: { mode: { pin: '2026-07-28' } },
      },
    );
    client.setRequestHandler('elicitation/create', ({ params }) => {
      questions.push(params.message);
      return action === 'accept' ? { action, content: { agree: true } } : { action };
    });
    const requestInit = { headers: { ...real.server.headers('real_test') } };
    const url = new URL('/mcp', real.server.url);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    const request = { name: ISSUE, arguments: { request_id: `asked-${action}` } };
    expect(await client.callTool(request)).toMatchObject({ structuredContent: { status } });
    expect(questions).toEqual([expect.stringContaining('되돌릴 수 없습니다')]);
    // What is done already is not asked about again.
    expect(await client.callTool(request)).toMatchObject({ structuredContent: { status } });
    expect(questions).toHaveLength(action === 'accept' ? 1 : 2);
    await client.close();
  });

  it('is not done with what the person did not see: other ciphertext, or another primary link', async () => {
    const before = await jobs();
    const args = { request_id: 'issue-3', purpose_code: '07' };
    const asked = await structured(ISSUE, args);
    expect(asked.summary).toContain('사업자등록번호');
    const { confirm_token } = asked.next_step.arguments;
    const encrypted_fields = { submit_to_code: 'QUJDREVGR0hJSktMTU5PUA==' };
    const hidden = await structured(ISSUE, { ...args, encrypted_fields, confirm_token });
    expect(hidden.error.code).toBe('CONFIRM_TOKEN_INVALID');
    await real.linkCertificate('tax_portal', demoCertificates.soleProprietor, true);
    const moved = await structured(ISSUE, { ...args, confirm_token });
    expect(moved.error.code).toBe('CONFIRM_TOKEN_INVALID');
    const again = await structured(ISSUE, args);
    expect(again.summary).not.toBe(asked.summary);
    expect(await jobs()).toBe(before);
  });

  it('runs at once in sandbox, where nothing is done', async () => {
    const result = await call(ISSUE, { request_id: 'play' }, { env: 'sandbox' });
    expect(result.structuredContent).toMatchObject({ status: 'SUCCEEDED' });
  });
});
