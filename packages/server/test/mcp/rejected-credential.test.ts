import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callTool } from '../support/mcp-call.ts';
import { newStranger, tokensOf } from '../support/oauth.ts';
import { bearer, logIn } from '../support/people.ts';
import { type RealTestServer, startRealTestServer } from '../support/real-test-server.ts';

const HISTORY = 'bank_b__accounts__transaction_history__search';
const REAL = { env: 'real_test' };
const PERIOD = { from_date: '20260701', to_date: '20260703' };

const REFUSED = '2000123400401';
const MASKED = '200******0401';

let real: RealTestServer;

beforeAll(async () => {
  real = await startRealTestServer({ OAUTH: 'on' });
});
afterAll(() => real[Symbol.asyncDispose]());

/** A job that the bank refused for the password of its account. */
async function refusedJob(member: string) {
  const link = await real.linkLogin('bank_b', member, 'tools-secret');
  const account = await real.addAccount(link, REFUSED, '6159');
  const args = { ...PERIOD, account_link_id: link, bank_account_credential_id: account };
  const { body } = await callTool(real.server, HISTORY, args, REAL);
  const { job_id: jobId, error } = body.result.structuredContent;
  expect(error.code).toBe('PROVIDER_CREDENTIAL_REJECTED');
  return { link, account, jobId };
}

const resultOf = async (jobId: string, headers: Record<string, string> = {}) =>
  (await callTool(real.server, 'changgu__job__result', { job_id: jobId }, { ...REAL, headers }))
    .body;

describe('a job that failed by its credential', () => {
  it('is told also when its account or its link is gone (D134)', async () => {
    const { link, account, jobId } = await refusedJob('gone');
    const accounts = `/v1/credentials/${link}/bank-accounts`;
    const { email, password } = real.server.console;
    const headers = bearer(await logIn(real.server, email, password));
    for (const [method, path] of [
      ['DELETE', `${accounts}/${account}`],
      ['POST', `/v1/credentials/${link}/unlink`],
    ] as const) {
      expect((await real.server.call(method, path, { headers })).status).toBe(200);
      const { result } = await resultOf(jobId);
      const { status, error } = result.structuredContent;
      expect([status, error.code]).toEqual(['FAILED', 'PROVIDER_CREDENTIAL_REJECTED']);
      expect(error.user_action).toContain(link);
      expect(error.user_action).not.toContain(MASKED);
    }
  });

  it('tells a token of the owner and the account only if it may read links (D167)', async () => {
    const { link, jobId } = await refusedJob('told');
    const stranger = await newStranger(real.server);
    const told = async (scope: string) => {
      const { access_token } = await tokensOf(stranger, real.server.console, {
        scope,
        resource: `${real.server.url}/mcp`,
        choose: [['env_scope', 'real_test']],
      });
      const { result } = await resultOf(jobId, bearer(access_token));
      return result.structuredContent.error.user_action;
    };
    expect(await told('jobs:read links:read')).toContain(MASKED);
    const less = await told('jobs:read');
    expect(less).toContain(link);
    expect(less).not.toContain(MASKED);
  });
});
