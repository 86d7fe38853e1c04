import { demoAccounts, type Simulators, startSimulators } from '@changgu/simulators';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Credential, JsonObject } from '../connector.ts';
import { consentAt, grantAt } from '../testing/bank-consent.ts';
import { type ChangeAnswer, changedHttp, withText } from '../testing/changed-http.ts';
import { type FakeCallOptions, fakeCall, violationsOf } from '../testing/fake-call.ts';
import { bankD } from './bank-d.ts';

const HISTORY = 'bank_d.accounts.transaction_history.search';

let now = Date.parse('2026-11-21T12:00:00+09:00');
let simulators: Simulators;
beforeAll(async () => {
  simulators = await startSimulators({ now: () => now });
});
afterAll(() => simulators.close());

const consent = (scopes: readonly string[]) => consentAt(simulators.urls.bank_d, scopes);

async function run(
  action: string,
  credential: Credential,
  more: Pick<FakeCallOptions, 'http'> = {},
) {
  const [account] = demoAccounts.bank_d;
  const call = await fakeCall({
    ...more,
    baseUrl: simulators.urls.bank_d,
    action,
    now: () => now,
    link: { credential },
    account: { number: account?.accountNo ?? '', password: account?.accountPassword ?? '' },
  });
  const data = await bankD.connectors[action]?.(call);
  expect(await violationsOf(action, data)).toEqual([]);
  return data;
}

describe('bank_d by consent', () => {
  it('the bank knows the owner: no number is needed (D103, D108)', async () => {
    const authorization = await consent(['accounts', 'transactions']);
    const renew = vi.fn<() => Promise<null>>(async () => null);
    const credential = { type: 'consent', authorization, renew } as const;
    expect(await run('bank_d.accounts.list', credential)).toMatchObject({ row_count: 1 });
    expect(await run(HISTORY, credential)).toMatchObject({ success: true });
    expect(renew).not.toHaveBeenCalled();
  });

  it('what was not consented to is a refused parameter', async () => {
    const authorization = await consent(['accounts']);
    const credential = { type: 'consent', authorization, renew: async () => null } as const;
    await expect(run(HISTORY, credential)).rejects.toMatchObject({
      code: 'PROVIDER_VALIDATION_ERROR',
    });
  });

  it('a token that has run out is renewed once; without a new one the consent has ended', async () => {
    const authorization = await consent(['accounts']);
    now += 3_601_000;
    const renew = vi.fn<() => Promise<JsonObject>>(() =>
      grantAt(simulators.urls.bank_d, {
        grant_type: 'refresh_token',
        refresh_token: String(authorization.refresh_token),
      }),
    );
    const credential = { type: 'consent', authorization, renew } as const;
    expect(await run('bank_d.accounts.list', credential)).toMatchObject({ row_count: 1 });
    expect(renew).toHaveBeenCalledOnce();
    const ended = { ...credential, renew: async () => null };
    await expect(run('bank_d.accounts.list', ended)).rejects.toMatchObject({
      code: 'PROVIDER_AUTH_FAILED',
      details: { upstreamStatus: 401, providerErrorRef: 'bank_d:INVALID_TOKEN' },
    });
  });
});

describe('bank_d where a session is opened', () => {
  const MAINTENANCE = '<html><body><h1>시스템 점검 안내</h1></body></html>';
  const refusing = (status: number, headers: Record<string, string>): ChangeAnswer => {
    return (response, { path }) =>
      path === '/oauth/session'
        ? { ...response, status, header: (name) => headers[name] ?? null }
        : response;
  };

  it.each([429, 503])('is left alone for as long as its %i asks (D156)', async (status) => {
    const authorization = await consent(['accounts']);
    const credential = { type: 'consent', authorization, renew: async () => null } as const;
    const http = changedHttp(refusing(status, { 'retry-after': '600' }));
    await expect(run('bank_d.accounts.list', credential, { http })).rejects.toMatchObject({
      code: 'PROVIDER_UPSTREAM_ERROR',
      transient: false,
      details: { upstreamStatus: status, leaveAloneMs: 600_000 },
    });
  });

  it('is not opened by a refusal in JSON (D165)', async () => {
    const authorization = await consent(['accounts']);
    const credential = { type: 'consent', authorization, renew: async () => null } as const;
    const http = changedHttp((response, { path }) =>
      path === '/oauth/session' ? { ...response, status: 403 } : response,
    );
    const failure = run('bank_d.accounts.list', credential, { http });
    await expect(failure).rejects.toMatchObject({ details: { upstreamStatus: 403 } });
  });

  it('is in maintenance when it says so (D142)', async () => {
    const authorization = await consent(['accounts']);
    const credential = { type: 'consent', authorization, renew: async () => null } as const;
    const http = changedHttp((response, request) =>
      request.path === '/oauth/session'
        ? { ...withText(response, MAINTENANCE), status: 503 }
        : response,
    );
    const failure = run('bank_d.accounts.list', credential, { http });
    await expect(failure).rejects.toMatchObject({ code: 'PROVIDER_MAINTENANCE' });
  });

  it('is not opened by a page in place of the session (D165)', async () => {
    const authorization = await consent(['accounts']);
    const credential = { type: 'consent', authorization, renew: async () => null } as const;
    const http = changedHttp((response, { path }) =>
      path === '/oauth/session' ? { ...withText(response, MAINTENANCE), status: 200 } : response,
    );
    const failure = run('bank_d.accounts.list', credential, { http });
    await expect(failure).rejects.toMatchObject({ code: 'PROVIDER_MAINTENANCE' });
  });

  it.each([
    ['JSON', 'application/json', '{"error":"invalid_token"}'],
    ['a page', 'text/html', '<html><body><p>토큰이 만료되었습니다.</p></body></html>'],
  ])('has ended the consent when it answers 401 with %s (D108)', async (_, contentType, text) => {
    const authorization = await consent(['accounts']);
    const renew = vi.fn<() => Promise<null>>(async () => null);
    const http = changedHttp((response, { path }) =>
      path === '/oauth/session'
        ? { ...withText(response, text), contentType, status: 401 }
        : response,
    );
    const credential = { type: 'consent', authorization, renew } as const;
    await expect(run('bank_d.accounts.list', credential, { http })).rejects.toMatchObject({
      code: 'PROVIDER_AUTH_FAILED',
      details: { providerErrorRef: 'bank_d:INVALID_TOKEN' },
    });
    expect(renew).toHaveBeenCalledOnce();
  });
});
