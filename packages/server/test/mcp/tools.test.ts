import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callTool, postMcp } from '../support/mcp-call.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

const HISTORY = 'bank_c__accounts__transaction_history__search';
const PERIOD = { from_date: '20261101', to_date: '20261120' };
const ISSUE = 'tax_portal__c1__vat_standard';

let server: TestServer;
/** Ids of the accounts at bank C, as an all-accounts call answers them. */
let accounts: string[];

beforeAll(async () => {
  server = await startTestServer({ links: true, env: { RATE_LIMIT: '100000/60' } });
  const { body } = await server.call('POST', '/v1/jobs/all-accounts', {
    key: randomUUID(),
    body: { provider: 'bank_c', action: 'bank_c.accounts.transaction_history.search' },
  });
  accounts = body.accounts.map(
    (line: { bank_account_credential_id: string }) => line.bank_account_credential_id,
  );
});
afterAll(() => server[Symbol.asyncDispose]());

/** The error of a call that was refused, as the model reads it. */
const refusal = async (...call: Parameters<typeof callTool>) => {
  const { isError, structuredContent } = (await callTool(...call)).body.result;
  expect([isError, structuredContent.status]).toEqual([true, 'REFUSED']);
  return structuredContent.error;
};

const structured = async (...call: Parameters<typeof callTool>) =>
  (await callTool(...call)).body.result.structuredContent;

describe('tools', () => {
  it('are named after their actions; the history of bank D is none (R111)', async () => {
    const { body } = await postMcp(server, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const names: string[] = body.result.tools.map(({ name }: { name: string }) => name);
    expect(names).toContain('employment__auth__npki_session__login');
    expect(names).toContain('bank_a__accounts__quick_summary__get');
    expect(names).toContain('bank_b__accounts__transaction_history__search');
    expect(names).toContain('changgu__job__result');
    expect(names.every((name) => /^[a-z][a-z0-9_]*$/.test(name))).toBe(true);
    expect(names).not.toContain('bank_d__accounts__transaction_history__search');
    const call = await callTool(server, 'bank_d__accounts__transaction_history__search');
    expect(call.body.error).toEqual({ code: -32602, message: expect.stringContaining('도구') });
  });

  it('irreversible ones are offered only to keys issued for them (D147)', async () => {
    const issued = await server.call('POST', '/v1/app-credentials', {
      headers: {
        authorization: `Bearer ${server.adminToken}`,
        'x-organization-id': String(server.organizationId),
      },
      body: { label: 'reader' },
    });
    const pair = `${issued.body.client_id}:${issued.body.client_secret}`;
    const reader = { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const namesOf = async (headers = {}) => {
      const { body } = await postMcp(server, list, { headers });
      return body.result.tools.map(({ name }: { name: string }) => name);
    };
    expect(await namesOf()).toContain(ISSUE);
    const names = await namesOf(reader);
    expect(names).not.toContain(ISSUE);
    expect(names).toContain(HISTORY);
    const call = await callTool(server, ISSUE, { request_id: 'r' }, { headers: reader });
    expect(call.body.error.code).toBe(-32602);
  });

  it('a result is structured and the same JSON as text (D154)', async () => {
    const { status, body } = await callTool(server, HISTORY, PERIOD);
    const { content, structuredContent, isError } = body.result;
    expect([status, isError]).toEqual([200, false]);
    expect(structuredContent).toEqual({
      job_id: expect.stringMatching(/^job_/),
      status: 'SUCCEEDED',
      result: {
        schema: 'bank_c.accounts.transaction_history.search.v1',
        data: { mock: true, params_echo: PERIOD },
        artifacts: [],
      },
      note: expect.stringContaining('샌드박스'),
    });
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
  });

  it('request_id is the key and no param; the header is one too (D125)', async () => {
    const link = { request_id: 'same', ...PERIOD };
    const first = await structured(server, HISTORY, link);
    expect(first.result.data.params_echo).toEqual(PERIOD);
    expect((await structured(server, HISTORY, link)).job_id).toBe(first.job_id);
    const inHeader = { headers: { 'idempotency-key': 'same' } };
    const again = await structured(server, HISTORY, PERIOD, inHeader);
    expect(again.job_id).toBe(first.job_id);
    expect((await structured(server, HISTORY, {})).job_id).not.toBe(first.job_id);
    const other = await callTool(server, HISTORY, { request_id: 'same' });
    expect(other.body.result).toMatchObject({
      isError: true,
      structuredContent: {
        status: 'REFUSED',
        error: { code: 'IDEMPOTENCY_KEY_CONFLICT', safe_to_retry: false },
      },
    });
  });

  it('a failure without effect frees the key, a success keeps it (D125)', async () => {
    const args = { request_id: 'freed' };
    const outcome = (value: string) => ({ headers: { 'x-sandbox-outcome': value } });
    const failed = await structured(server, HISTORY, args, outcome('FAILED'));
    const timedOut = await structured(server, HISTORY, args, outcome('TIMEOUT'));
    expect([failed.status, timedOut.status]).toEqual(['FAILED', 'TIMEOUT']);
    const done = await structured(server, HISTORY, args);
    expect(done.status).toBe('SUCCEEDED');
    expect(new Set([failed.job_id, timedOut.job_id, done.job_id]).size).toBe(3);
    const both = await Promise.all([1, 2].map(() => structured(server, HISTORY, args)));
    expect(both.map(({ job_id }) => job_id)).toEqual([done.job_id, done.job_id]);
  });

  it('every account ends in sandbox as a header asks, by tool and by REST (D73, R118)', async () => {
    const headers = { 'x-sandbox-outcome': 'FAILED;code=PROVIDER_MAINTENANCE' };
    const [one = ''] = accounts;
    const { body } = await callTool(
      server,
      HISTORY,
      { bank_account_credential_ids: [one] },
      { headers },
    );
    expect(body.result).toMatchObject({
      isError: true,
      structuredContent: {
        accounts: [{ status: 'FAILED', error: { code: 'PROVIDER_MAINTENANCE' } }],
      },
    });
    const call = (outcome: string) =>
      server.call('POST', '/v1/jobs/all-accounts', {
        key: randomUUID(),
        headers: { 'x-sandbox-outcome': outcome },
        body: {
          provider: 'bank_c',
          action: 'bank_c.accounts.transaction_history.search',
          bank_account_credential_ids: [one],
        },
      });
    const [line] = (await call('TIMEOUT')).body.accounts;
    expect(await server.ended(line.job_id)).toMatchObject({ status: 'TIMEOUT' });
    expect((await call('SUCCEEDED')).status).toBe(400);
  });

  it.each([
    [HISTORY, { ...PERIOD }],
    [HISTORY, { ...PERIOD, request_id: 'Header' }],
    ['bank_c__accounts__list', {}],
    [ISSUE, {}],
  ])('the header returns a failed job as POST /v1/jobs does: %s %j (D32)', async (name, args) => {
    const key = `${name}-${'request_id' in args}`;
    const named = 'request_id' in args ? { ...args, request_id: key } : args;
    const headers = { 'idempotency-key': key, 'x-sandbox-outcome': 'FAILED' };
    const failed = await structured(server, name, named, { headers });
    expect(failed).toMatchObject({ status: 'FAILED' });
    const again = await structured(server, name, named, { headers: { 'idempotency-key': key } });
    expect(again.job_id).toBe(failed.job_id);
    const freed = await structured(server, name, { ...named, request_id: key });
    expect(freed.status).toBe('SUCCEEDED');
  });

  it('an irreversible tool needs a key (D125)', async () => {
    const params = { purpose_code: '07' };
    const none = await callTool(server, ISSUE, params);
    expect(none.body.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('request_id') }, {}],
      structuredContent: { error: { code: 'IDEMPOTENCY_KEY_REQUIRED' } },
    });
    const tooLong = await refusal(server, ISSUE, { ...params, request_id: 'x'.repeat(129) });
    expect(tooLong.fields).toEqual([
      { field: 'request_id', problem: 'String should have 1 to 128 ASCII characters' },
    ]);
  });

  it('a job that fails is a result with isError, its sentence first (D73)', async () => {
    const outcome = (value: string) => ({ headers: { 'x-sandbox-outcome': value } });
    const failed = await callTool(
      server,
      'tax_portal__s1__user_info',
      {},
      outcome('FAILED;code=AUTH_REQUIRED'),
    );
    const { content, structuredContent, isError } = failed.body.result;
    expect(isError).toBe(true);
    expect(structuredContent).toEqual({
      job_id: expect.any(String),
      status: 'FAILED',
      error: {
        code: 'AUTH_REQUIRED',
        message: expect.any(String),
        safe_to_retry: true,
        next_action: expect.stringContaining('tax_portal__s1__login'),
      },
      note: expect.stringContaining('샌드박스'),
    });
    expect(content.map(({ text }: { text: string }) => text)).toEqual([
      structuredContent.error.message,
      JSON.stringify(structuredContent),
    ]);
    const canceled = await structured(server, HISTORY, {}, outcome('CANCELED'));
    expect(canceled.error).toMatchObject({
      code: 'JOB_CANCELED',
      message: '작업이 취소되었습니다.',
    });
    const timeout = await structured(server, HISTORY, {}, outcome('TIMEOUT'));
    expect([timeout.status, timeout.error.code]).toEqual(['TIMEOUT', 'JOB_TIMEOUT']);
  });

  it('the job result tool reads a job, of the same organization and environment only (D126)', async () => {
    const { job_id } = await structured(server, HISTORY, {});
    const read = await structured(server, 'changgu__job__result', { job_id });
    expect(read).toMatchObject({ job_id, status: 'SUCCEEDED', result: { artifacts: [] } });
    const elsewhere = { env: 'real_test' };
    expect(await refusal(server, 'changgu__job__result', { job_id }, elsewhere)).toMatchObject({
      code: 'JOB_NOT_FOUND',
    });
    expect(await refusal(server, 'changgu__job__result')).toMatchObject({
      code: 'VALIDATION_INVALID_FIELD',
      fields: [{ field: 'job_id', problem: 'Field required' }],
    });
  });

  it('are refused in words that name the field and what is wrong with it (D169)', async () => {
    const link = { account_link_id: randomUUID() };
    expect(await refusal(server, HISTORY, link)).toMatchObject({ code: 'ACCOUNT_LINK_NOT_FOUND' });
    const cases: readonly [Record<string, unknown>, string][] = [
      [{ account_link_id: 'x' }, 'account_link_id'],
      [{ password: 'x' }, 'password'],
      [{ from_date: 5 }, 'from_date'],
      [{ purpose: 'bank loan' }, 'purpose'],
      [{ view: { rows: 5 } }, 'view.rows'],
      [{ encrypted_fields: { account_password: 'x' } }, 'encrypted_fields.account_password'],
    ];
    for (const [args, field] of cases) {
      const error = await refusal(server, HISTORY, args);
      expect(error).toMatchObject({
        code: 'VALIDATION_INVALID_FIELD',
        message: expect.stringContaining(`${field}: `),
        next_action: expect.any(String),
        fields: [{ field }],
      });
    }
  });

  it.each<[string, Record<string, unknown>, string, RegExp]>([
    [HISTORY, { form_date: '20261101' }, 'form_date', /did you mean from_date\?/],
    [HISTORY, { acount_link_id: 'x' }, 'acount_link_id', /did you mean account_link_id\?/],
    [HISTORY, { unheard_of: 1 }, 'unheard_of', /known: .*from_date, .*account_link_id/],
    [HISTORY, { view: { limits: 5 } }, 'view.limits', /did you mean limit\?/],
    ['changgu__actions__describe', { name: 'x' }, 'name', /known: action, request_id$/],
    ['changgu__accounts__list', { providor: 'bank_c' }, 'providor', /did you mean provider\?/],
    ['changgu__job__result', { id: 'x', job_id: 'y' }, 'id', /did you mean job_id\?|known: job_id/],
  ])('%s %j is refused by what exists instead (D169)', async (tool, args, field, problem) => {
    const { fields } = await refusal(server, tool, args);
    const found = fields.find((each: { field: string }) => each.field === field);
    expect(found?.problem).toMatch(problem);
    expect(JSON.stringify(fields)).not.toContain('null');
  });

  it.each([
    [HISTORY, { account_password: '1234' }, /encrypted_fields\.account_password/],
    [HISTORY, { certificate_password: '1234' }, /registers it once with the account link/],
    ['bank_c__accounts__list', { account_password: '1234' }, /registers it once/],
    ['changgu__accounts__list', { client_secret: '1234' }, /registers it once/],
    [
      'changgu__actions__run',
      { action: 'bank_c.accounts.list', params: { login_password: '1234' } },
      /registers it once/,
    ],
  ])('%s %j is told where secrets belong instead (D169)', async (tool, args, problem) => {
    const error = await refusal(server, tool, args);
    expect(error.fields).toEqual([
      { field: expect.any(String), problem: expect.stringMatching(problem) },
    ]);
    expect(JSON.stringify(error)).toContain('A secret is never an argument');
    expect(JSON.stringify(error)).not.toContain('1234');
  });

  it('go by exactly their name (D163)', async () => {
    for (const name of ['bank_c.accounts.list', 'bank_c__accounts.list', 'changgu.job.result']) {
      const { body } = await callTool(server, name, {});
      expect(body.error?.code, name).toBe(-32602);
    }
  });
});

describe('a choice of accounts', () => {
  const choices = [
    { bank_account_credential_id: 'a', bank_account_credential_ids: ['a'] },
    { bank_account_credential_id: 'a', all_accounts: true },
    { bank_account_credential_ids: ['a'], all_accounts: true },
  ];

  it.each(choices)('is one of three: %j (R112)', async (args) => {
    const { body } = await callTool(server, HISTORY, args);
    expect(body.error).toEqual({ code: -32602, message: expect.stringMatching(/하나만/) });
  });

  it('all_accounts false and nulls are as if they were not sent (R112)', async () => {
    const [id = ''] = accounts;
    const one = await structured(server, HISTORY, {
      all_accounts: false,
      bank_account_credential_ids: null,
      bank_account_credential_id: id,
    });
    expect(one.result.data.params_echo).toEqual({ bank_account_credential_id: id });
    const all = await structured(server, HISTORY, {
      all_accounts: true,
      bank_account_credential_id: null,
    });
    expect(all.accounts).toHaveLength(4);
  });

  it('is refused where a tool selects none (R113)', async () => {
    for (const args of [{ all_accounts: true }, { bank_account_credential_ids: ['a'] }]) {
      const { body } = await callTool(server, 'bank_c__accounts__list', args);
      expect(body.error).toEqual({ code: -32602, message: expect.any(String) });
    }
  });

  it('names only own accounts and links (R114)', async () => {
    const foreign = await callTool(server, HISTORY, {
      bank_account_credential_ids: [...accounts, randomUUID()],
    });
    expect(foreign.body.error).toMatchObject({
      code: -32602,
      data: { error_code: 'BANK_ACCOUNT_CREDENTIAL_NOT_FOUND' },
    });
    const link = { all_accounts: true, account_link_id: randomUUID() };
    expect((await callTool(server, HISTORY, link)).body.error).toMatchObject({
      code: -32602,
      data: { error_code: 'BANK_ACCOUNT_PARENT_NOT_FOUND' },
    });
    const empty = await callTool(server, HISTORY, { bank_account_credential_ids: [] });
    expect(empty.body.result.structuredContent.error).toMatchObject({
      code: 'VALIDATION_INVALID_FIELD',
      fields: [{ field: 'bank_account_credential_ids' }],
    });
  });

  it('what is wrong with a param is located in the arguments, whoever finds it (D134)', async () => {
    const fields = async (args: Record<string, unknown>) => {
      const error = await refusal(server, HISTORY, args);
      return error.fields.map(({ field }: { field: string }) => field);
    };
    expect(await fields({ order: 'sideways' })).toEqual(['order']);
    expect(await fields({ all_accounts: true, order: 'up' })).toEqual(['order']);
  });
});

describe('an all-accounts call', () => {
  it('has a line per account, over the cap of three as well (R117, R118, R120)', async () => {
    const { body } = await callTool(server, HISTORY, { all_accounts: true, order: 'asc' });
    const { structuredContent, isError } = body.result;
    expect(isError).toBe(false);
    expect(structuredContent).toEqual({
      all_accounts: true,
      summary: '계좌 4개: 성공 4',
      accounts: accounts.map((bank_account_credential_id) => ({
        bank_account_credential_id,
        masked_account_no: expect.stringMatching(/\*/),
        job_id: expect.stringMatching(/^job_/),
        status: 'SUCCEEDED',
        result: {
          schema: 'bank_c.accounts.transaction_history.search.v1',
          data: { mock: true, params_echo: { bank_account_credential_id, order: 'asc' } },
          artifacts: [],
        },
      })),
      next: null,
      note: expect.stringContaining('샌드박스'),
    });
  });

  it('the same request_id gives the same jobs (D125)', async () => {
    const args = { all_accounts: true, request_id: randomUUID() };
    const jobs = async () =>
      (await structured(server, HISTORY, args)).accounts.map(
        ({ job_id }: { job_id: string }) => job_id,
      );
    expect(await jobs()).toEqual(await jobs());
  });

  it('tells in Korean how many accounts are done, and its jobs before it waits', async () => {
    const { headers, messages } = await callTool(
      server,
      HISTORY,
      { all_accounts: true },
      { accept: 'text/event-stream' },
    );
    expect(headers.get('content-type')).toMatch(/^text\/event-stream/);
    const progress = messages.slice(0, -1).map(({ method, params }) => {
      expect(method).toBe('notifications/progress');
      return params;
    });
    // The first jobs may have ended before the first look at them.
    const begun: number = progress[0].progress;
    expect(begun).toBeLessThan(4);
    expect(progress[0]).toMatchObject({
      total: 4,
      message: expect.stringMatching(
        new RegExp(`^계좌 4개 중 ${begun}개 완료 \\(job_id: job_\\w+(, job_\\w+)*\\)$`),
      ),
    });
    // Then each account that ends, and how.
    const ends = progress.slice(1).map(({ progress: done, message }, index) => {
      const ended = begun + index + 1;
      expect([done, message]).toEqual([
        ended,
        expect.stringMatching(new RegExp(`^계좌 4개 중 ${ended}개 완료 \\(\\d+\\*+\\d+ 성공\\)$`)),
      ]);
      return message;
    });
    expect(new Set(ends).size).toBe(4 - begun);
    const steps = progress.map((each) => each.progress);
    expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
  });
});

/** Jobs that end after the test; three of a bank's product at a time. */
const UNENDING = { SANDBOX_DELAY_MS: '600000', SHUTDOWN_SECONDS: '0', BANK_PRODUCT_CAP: '3' };

describe('a call that does not wait to the end', () => {
  let busy: TestServer;

  beforeAll(async () => {
    busy = await startTestServer({
      links: true,
      env: { ...UNENDING, MCP_WAIT_SECONDS: '0' },
    });
  });
  afterAll(() => busy[Symbol.asyncDispose]());

  it('names the job and the call that reads it (D126)', async () => {
    const single = await structured(busy, 'bank_a__accounts__list');
    expect(single).toEqual({
      job_id: expect.any(String),
      status: expect.stringMatching(/^(QUEUED|RUNNING)$/),
      progress: {
        percent: null,
        message: expect.stringMatching(/./),
        retry_after_seconds: expect.any(Number),
      },
      note: expect.stringContaining('샌드박스'),
      result_tool_call: { name: 'changgu__job__result', arguments: { job_id: single.job_id } },
    });
    const read = await callTool(busy, 'changgu__job__result', { job_id: single.job_id });
    expect(read.body.result.structuredContent).toMatchObject({ job_id: single.job_id });
    expect(read.body.result.isError).toBe(false);
  });

  it('shows what waits and what could not be submitted, and how to continue (R117, R120)', async () => {
    const first = await structured(busy, HISTORY, { all_accounts: true, ...PERIOD });
    const lines = first.accounts;
    expect(lines.map((line: object) => Object.keys(line).sort().join())).toEqual([
      ...Array(3).fill(
        'bank_account_credential_id,job_id,masked_account_no,result_tool_call,status',
      ),
      'bank_account_credential_id,job_id,masked_account_no,reason,status',
    ]);
    expect(lines[3]).toMatchObject({
      job_id: null,
      status: 'NOT_SUBMITTED',
      reason: 'over_concurrency_limit',
    });
    expect(Object.hasOwn(first, 'interruption')).toBe(false);
    expect(first.progress).toMatchObject({ percent: 0, retry_after_seconds: expect.any(Number) });
    expect(first.summary).toMatch(/^계좌 4개: .*제출되지 않음 1$/);
    expect(first.next).toEqual({
      tool_call: {
        name: HISTORY,
        arguments: {
          ...PERIOD,
          bank_account_credential_ids: [lines[3].bank_account_credential_id],
        },
      },
      message: expect.stringContaining('10초 뒤'),
    });
  });

  it('submits nothing when it only shows further lines (D126)', async () => {
    await using own = await startTestServer({
      links: true,
      env: { ...UNENDING, MCP_WAIT_SECONDS: '0' },
    });
    const { links } = await structured(own, 'changgu__accounts__list', { provider: 'bank_c' });
    const id = links[0].accounts[0].bank_account_credential_id;
    const again = { ...PERIOD, request_id: 'further-lines' };
    const { accounts: one } = await structured(own, HISTORY, {
      ...again,
      bank_account_credential_ids: [id],
    });
    const reading = { ...again, all_accounts: true, view: { cursor: 0 } };
    const { accounts: lines } = await structured(own, HISTORY, reading);
    const jobs = lines.map(({ job_id }: { job_id: string | null }) => job_id);
    expect(jobs).toHaveLength(4);
    expect(jobs.filter((job: string | null) => job !== null)).toEqual([one[0].job_id]);
  });

  it('continues by the tool that runs any action where the list has no other (D163)', async () => {
    const action = 'bank_c.accounts.transaction_history.search';
    const noTools = { headers: { 'x-mcp-toolsets': 'none' } };
    const params = { ...PERIOD, from_date: '20261102' };
    const run = { action, params, all_accounts: true };
    const { accounts: lines, next } = await structured(busy, 'changgu__actions__run', run, noTools);
    const open = lines.filter(({ job_id }: { job_id: unknown }) => job_id === null);
    const ids = open.map(({ bank_account_credential_id: id }: Record<string, string>) => id);
    expect(next.tool_call).toEqual({
      name: 'changgu__actions__run',
      arguments: { action, params, bank_account_credential_ids: ids },
    });
    expect(ids.length).toBeGreaterThan(0);
  });
});

describe('a full organization (R116)', () => {
  it('answers at once when nothing of a call was accepted, even if other jobs would make room', async () => {
    await using full = await startTestServer({
      links: true,
      env: { ...UNENDING, MCP_WAIT_SECONDS: '280' },
    });
    const rest = { provider: 'bank_c', action: 'bank_c.accounts.transaction_history.search' };
    await full.call('POST', '/v1/jobs/all-accounts', { key: 'k', body: rest });
    const { body } = await callTool(full, HISTORY, { all_accounts: true });
    const { accounts: lines, next } = body.result.structuredContent;
    expect(body.result.isError).toBe(false);
    expect(lines.map(({ reason }: { reason: string }) => reason)).toEqual(
      Array(4).fill('over_concurrency_limit'),
    );
    expect(next.tool_call.arguments.bank_account_credential_ids).toHaveLength(4);
  });
});
