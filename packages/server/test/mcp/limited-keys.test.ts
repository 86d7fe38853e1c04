import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encrypt } from '../support/encrypt.ts';
import { callTool, postMcp } from '../support/mcp-call.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

const HISTORY = 'bank_b__accounts__transaction_history__search';
const ACCOUNTS = 'bank_b__accounts__list';
const ISSUE = 'tax_portal__c1__vat_standard';
const LINKS = 'changgu__accounts__list';
const RUN = 'changgu__actions__run';
const RESULT = 'changgu__job__result';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ links: true, env: { RATE_LIMIT: '100000/60' } });
});
afterAll(() => server[Symbol.asyncDispose]());

/** What a thief has of a key that was issued with these limits. */
async function keyWith(limits: Readonly<Record<string, unknown>>) {
  const { status, body } = await server.call('POST', '/v1/app-credentials', {
    headers: {
      authorization: `Bearer ${server.adminToken}`,
      'x-organization-id': String(server.organizationId),
    },
    body: { label: randomUUID(), allowed_env_scopes: ['sandbox', 'real_test'], ...limits },
  });
  expect(status).toBe(201);
  const pair = Buffer.from(`${body.client_id}:${body.client_secret}`).toString('base64');
  const headers = { authorization: `Basic ${pair}` };
  return {
    async tools(): Promise<string[]> {
      const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      const answer = await postMcp(server, list, { headers });
      return answer.body.result.tools.map(({ name }: { name: string }) => name);
    },
    async links(env = 'sandbox'): Promise<string[]> {
      const { body: answer } = await callTool(server, LINKS, {}, { headers, env });
      const { links } = answer.result.structuredContent;
      return links.map((link: { account_link_id: string }) => link.account_link_id);
    },
    /** The code of the refusal, of the protocol or of the service; else the status of the call. */
    async outcome(name: string, args: Readonly<Record<string, unknown>> = {}, env = 'sandbox') {
      const { body: answer } = await callTool(server, name, args, { headers, env });
      if (answer.error) return answer.error.code ?? answer.error;
      const { status: state, error } = answer.result.structuredContent;
      return error?.code ?? state;
    },
  };
}

/** A login at the institution itself, of a customer. */
async function linkReal(): Promise<string> {
  const login = await server.call('POST', '/v1/auth/login', { body: server.console });
  const { status, body } = await server.call('POST', '/v1/credentials/link', {
    headers: { authorization: `Bearer ${login.body.access_token}` },
    body: {
      provider: 'bank_b',
      purpose: 'real',
      login_id: encrypt(randomUUID()),
      login_password: encrypt('p'),
    },
  });
  expect(status).toBe(201);
  return body.account_link_id;
}

/** A job of the demo key, of an action that a limited key may not use. */
async function foreignJob(action: string): Promise<string> {
  const { body } = await server.call('POST', '/v1/jobs', {
    key: randomUUID(),
    body: { provider: action.split('.')[0], action, params: {} },
  });
  await server.ended(body.job_id);
  return body.job_id;
}

describe('an agent with a key of few rights', () => {
  it('sees and calls no irreversible tool when the key is read-only (D147)', async () => {
    const key = await keyWith({ read_only: true });
    expect(await key.tools()).toContain(ACCOUNTS);
    expect(await key.tools()).not.toContain(ISSUE);
    expect([-32602, 'POLICY_TOOL_NOT_ALLOWED']).toContain(await key.outcome(ISSUE));
    expect(await key.outcome(ACCOUNTS)).toBe('SUCCEEDED');
  });

  it('sees, calls and reads nothing outside its allowed actions (D147)', async () => {
    const key = await keyWith({ allowed_actions: ['bank_b.accounts.list'] });
    const tools = (await key.tools()).filter((name) => !name.startsWith('changgu__'));
    expect(tools).toEqual([ACCOUNTS]);
    expect(await key.outcome(ACCOUNTS)).toBe('SUCCEEDED');
    expect([-32602, 'POLICY_TOOL_NOT_ALLOWED']).toContain(await key.outcome(HISTORY));
    const job_id = await foreignJob('bank_a.accounts.list');
    expect(await key.outcome(RESULT, { job_id })).toBe('JOB_NOT_FOUND');
  });

  it('does no more through the tool that runs any action (D147)', async () => {
    const narrow = await keyWith({ allowed_actions: ['bank_b.accounts.list'] });
    expect(await narrow.outcome(RUN, { action: 'bank_b.accounts.list' })).toBe('SUCCEEDED');
    const history = { action: 'bank_b.accounts.transaction_history.search' };
    expect(await narrow.outcome(RUN, history)).toBe('VALIDATION_INVALID_FIELD');
    const issue = { action: 'tax_portal.c1.vat_standard', request_id: randomUUID() };
    for (const limits of [{}, { read_only: true }]) {
      const reader = await keyWith(limits);
      expect(await reader.outcome(RUN, issue)).toBe('VALIDATION_INVALID_FIELD');
    }
  });

  it('reaches no environment that its key is not for (D147)', async () => {
    const key = await keyWith({ allowed_env_scopes: ['sandbox'] });
    expect(await key.outcome(ACCOUNTS)).toBe('SUCCEEDED');
    expect(await key.outcome(ACCOUNTS, {}, 'real_test')).toBe('POLICY_ENV_NOT_ALLOWED');
  });

  it("sees a customer's real login by its profile and environments only (D160)", async () => {
    const real = await linkReal();
    const linksOf = async (limits: Readonly<Record<string, unknown>>) => {
      const key = await keyWith({ allowed_env_scopes: ['sandbox'], ...limits });
      return key.links();
    };
    expect(await linksOf({})).not.toContain(real);
    expect(await linksOf({ integration_profile: 'standard_external' })).not.toContain(real);
    expect(await linksOf({ integration_profile: 'desktop_agent' })).toContain(real);
    const elsewhere = { integration_profile: 'desktop_agent', allowed_actions: ['bank_a.*'] };
    expect(await linksOf(elsewhere)).not.toContain(real);
  });

  it('is shown the links that its environment takes, with their purpose (D160)', async () => {
    const real = await linkReal();
    const key = await keyWith({ integration_profile: 'desktop_agent' });
    expect(await key.links('sandbox')).toContain(real);
    expect(await key.links('real_test')).not.toContain(real);
    const { body } = await callTool(server, LINKS, {}, { env: 'real_test' });
    const [link] = body.result.structuredContent.links;
    expect(link.purpose).toBe('test');
  });

  it('gets no more by naming the action another way (D163)', async () => {
    const key = await keyWith({ allowed_actions: ['bank_b.accounts.list'], read_only: true });
    for (const name of [
      'tax_portal.c1.vat_standard',
      `${ISSUE} `,
      ISSUE.toUpperCase(),
      '__proto__',
    ]) {
      expect(await key.outcome(name)).toBe(-32602);
    }
  });
});
