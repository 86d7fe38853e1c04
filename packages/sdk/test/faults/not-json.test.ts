/** What a caller passes that JSON would refuse, drop or turn to null: told before anything is sent, never sent otherwise. */
import { runInNewContext } from 'node:vm';
import type { Changgu } from '@changgu/sdk';
import { describe, expect, it } from 'vitest';
import { testClient } from '../support/client.ts';
import { failureOf, fake } from '../support/fake.ts';
import { accepted, json, scriptedServer } from '../support/scripted-server.ts';

const action: string = 'bank_b.accounts.transaction_history.search';

const cyclic: Record<string, unknown> = {};
cyclic.self = [cyclic];

const deep: Record<string, unknown> = {};
for (let depth = 0, at = deep; depth < 50_000; depth++) {
  const inner: Record<string, unknown> = {};
  at.inner = inner;
  at = inner;
}

const NOT_JSON: readonly (readonly [what: string, value: unknown])[] = [
  ['a BigInt', 7n],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['a function', () => 7],
  ['a symbol', Symbol('secret')],
  ['a Map', new Map([['secret', 1]])],
  ['a Set', new Set(['secret'])],
  ['bytes', Uint8Array.of(1)],
  ['a promise', Promise.resolve('secret')],
  ['an invalid date', new Date(Number.NaN)],
  ['undefined in a list', ['a', undefined]],
  ['a hole in a list', Object.assign([], { length: 1 })],
  ['an object that contains itself', cyclic],
  ['an object that is nested deeper than any stack', deep],
];

/** Every place that takes data of the caller. */
const WAYS: readonly (readonly [string, string | null, (c: Changgu, value: unknown) => unknown])[] =
  [
    ['params', 'k', (c, amount) => c.jobs.submit({ action, params: { amount }, ...KEY })],
    ['params of a run', 'k', (c, amount) => c.jobs.run({ action, params: { amount }, ...KEY })],
    ['params to check', 'k', (c, a) => c.jobs.validate({ action, params: { a }, ...KEY })],
    ['params to prepare', 'k', (c, a) => c.jobs.prepare({ action, params: { a }, ...KEY })],
    [
      'params beside secrets',
      'k',
      (c, amount) =>
        c.jobs.submit({ action, params: { amount }, secrets: { account_password: '1' }, ...KEY }),
    ],
    [
      'params for all accounts',
      'k',
      (c, amount) => c.jobs.allAccounts({ action, params: { amount }, batchKey: 'k' }).next(),
    ],
    ['a body', null, (c, pricingHint) => c.products.create({ pricingHint } as never)],
    ['a body in camelCase', null, (c, label) => c.appCredentials.issue({ label } as never)],
    ['a request', 'k', (c, a) => c.request({ method: 'POST', path: '/x', body: { a }, ...KEY })],
    [
      'a tax portal call',
      'k',
      (c, a) => c.taxPortal.run('taxPortalLogin', { a } as never, { idempotencyKey: 'k' }),
    ],
  ];
const KEY = { idempotencyKey: 'k' };

async function scripted() {
  const { url, seen } = await scriptedServer(json(202, accepted));
  return { client: testClient(url, { token: 'console-token' }), seen };
}

describe('a value that JSON cannot hold', () => {
  it.each(WAYS)('in %s is a ConfigurationError, and nothing is sent', async (_, key, call) => {
    const { client, seen } = await scripted();
    for (const [what, value] of NOT_JSON) {
      const error = await failureOf((async () => call(client, value))());
      expect(error, what).toMatchObject({ name: 'ConfigurationError', idempotencyKey: key });
      expect(String(error)).not.toContain('secret');
    }
    expect(seen).toHaveLength(0);
  });

  it('is named, not quoted', async () => {
    const { client } = await scripted();
    const params = { filter: { amount: 7n } };
    const error = await failureOf(client.jobs.submit({ action, params }));
    expect(String(error)).toContain('amount');
    expect(String(error)).toContain('BigInt');
  });
});

describe('a value that has a form in JSON', () => {
  it('is sent in it', async () => {
    const { client, seen } = await scripted();
    class Money {
      readonly won = 5;
    }
    const params = {
      date: new Date('2026-11-21T00:00:00Z'),
      absent: undefined,
      none: null,
      money: new Money(),
      other: runInNewContext('({ list: [1, "a", false] })'),
      bare: Object.assign(Object.create(null), { a: 1 }),
    };
    await client.jobs.submit({ action, params });
    expect(JSON.parse(seen[0]?.body ?? '').params).toEqual({
      date: '2026-11-21T00:00:00.000Z',
      none: null,
      money: { won: 5 },
      other: { list: [1, 'a', false] },
      bare: { a: 1 },
    });
  });

  it('is sent in it in a body whose names are translated', async () => {
    const { client, seen } = await scripted();
    const fromTime = new Date('2026-11-21T00:00:00Z');
    await client.webhooks.replay('whk_1', { fromTime, absent: undefined } as never);
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ from_time: '2026-11-21T00:00:00.000Z' });
  });
});

describe('an argument that is not what it should be', () => {
  it.each([
    ['no action', (c: Changgu) => c.jobs.submit({} as never)],
    ['an action that is no text', (c: Changgu) => c.jobs.submit({ action: 7 } as never)],
    ['no action for all accounts', (c: Changgu) => c.jobs.allAccounts({} as never).next()],
    ['half a character in an id', (c: Changgu) => c.jobs.get('job_\ud800')],
    ['a query that contains itself', (c: Changgu) => c.jobs.list({ cursor: cyclic } as never)],
  ])('%s is a ConfigurationError before anything is sent', async (_, call) => {
    const { client, seen } = await scripted();
    const error = await failureOf((async () => call(client))());
    expect(error).toMatchObject({ name: 'ConfigurationError' });
    expect(seen).toHaveLength(0);
  });

  it('a secret that is a BigInt is an EncryptionError that carries the key', async () => {
    const { client, service } = fake();
    const secrets = { account_password: 7n } as never;
    const error = await failureOf(client.jobs.submit({ action, secrets, ...KEY }));
    expect(error).toMatchObject({ name: 'EncryptionError', ...KEY });
    expect(service.jobs).toHaveLength(0);
  });

  it('a token that is no text is not quoted, and nothing is sent', async () => {
    const { url, seen } = await scriptedServer(json(202, accepted));
    const token = () => ({ token: 'secret' }) as never;
    const client = testClient(url, { token, clientId: '', clientSecret: '' });
    const error = await failureOf(client.jobs.submit({ action, ...KEY }));
    expect(error).toMatchObject({ name: 'ConfigurationError', ...KEY });
    expect(String(error)).not.toContain('secret');
    expect(seen).toHaveLength(0);
  });
});
