import { operations } from '@changgu/contract/schemas';
import type { Provider } from 'oidc-provider';
import { describe, expect, it } from 'vitest';
import { jobsApp } from '../../../test/support/jobs-app.ts';
import { oauthAddresses } from '../../oauth/addresses.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { createRateLimiter } from '../rate-limit.ts';
import { route } from '../route.ts';
import { authorizationServer } from './authorization-server.ts';

/** In place of the library: what it answers to a client that sends this secret. */
const answer: ReturnType<Provider['callback']> = async ({ headers }, response) => {
  response.statusCode = headers.authorization === 'Basic good' ? 200 : 401;
  response.end();
};

function appWith(limit: number) {
  const clock = { realNow: () => 1_000_000 };
  const app = jobsApp({ rateLimit: { limit, windowSeconds: 60 } });
  authorizationServer(app, {
    host: {
      provider: async () => ({
        callback:
          () =>
          async (...call) =>
            answer(...call),
      }),
    },
    addresses: () => oauthAddresses('https://changgu.example'),
    registrations: createRateLimiter({ limit: 10, windowSeconds: 3_600 }, clock),
  });
  const refusal = async () => {
    throw new ServiceError('AUTH_INVALID_CREDENTIALS');
  };
  route(app, operations.account.login, refusal, { limitAddress: true });
  const post = async (url: string, more: object) =>
    (await app.fastify.inject({ method: 'POST', url, ...more })).statusCode;
  return {
    ask: (secret: string, endpoint = 'token/introspection') =>
      post(`/oauth/${endpoint}`, { headers: { authorization: `Basic ${secret}` } }),
    login: (headers: Record<string, string> = {}) =>
      post(operations.account.login.path, {
        headers,
        payload: { email: 'a@example.com', password: 'x' },
      }),
    open: async (headers: Record<string, string>) =>
      (await app.fastify.inject({ url: '/oauth/auth', headers })).statusCode,
  };
}

async function statusesOf(times: number, call: () => Promise<number>): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let n = 0; n < times; n += 1) statuses.add(await call());
  return statuses;
}

/** As browsers say of what a page of another site contains, and of a link in it. */
const EMBEDDED = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' };
const FOLLOWED = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' };

describe('a page of another site', () => {
  it('keeps no one of an address from logging in, nor from following a link (D43)', async () => {
    const { login, open } = appWith(1_000);
    const load = () => open(EMBEDDED);
    expect(await statusesOf(300, load)).toEqual(new Set([401]));
    expect([await load(), await login(EMBEDDED), await open(FOLLOWED), await login()]).toEqual([
      429, 429, 401, 401,
    ]);
    expect(await statusesOf(299, () => open(FOLLOWED))).toEqual(new Set([401]));
    expect([await open(FOLLOWED), await login()]).toEqual([429, 401]);
    expect(await statusesOf(298, login)).toEqual(new Set([401]));
    expect(await login()).toBe(429);
  });
});

describe('the clients of one address', () => {
  it('may ask about every call that they get, and lock no one out of the console (D43)', async () => {
    const { ask, login } = appWith(1_000);
    expect(await statusesOf(1_000, () => ask('good'))).toEqual(new Set([200]));
    expect([await ask('good'), await login()]).toEqual([429, 401]);
  });

  it('guess no more than 300 secrets a minute, at any of their endpoints (D43)', async () => {
    const { ask, login } = appWith(1_000);
    expect(await statusesOf(150, () => ask('wrong', 'token'))).toEqual(new Set([401]));
    expect(await statusesOf(150, () => ask('wrong', 'TOKEN/revocation/'))).toEqual(new Set([401]));
    expect([await ask('wrong'), await ask('good'), await login()]).toEqual([429, 429, 401]);
  });

  it('are limited like logins at the other endpoints (D43)', async () => {
    const { ask } = appWith(1_000);
    expect(await statusesOf(300, () => ask('good', 'device/auth'))).toEqual(new Set([200]));
    expect([await ask('good', 'tokens'), await ask('good')]).toEqual([429, 200]);
  });
});
