import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Changgu,
  type ClientOptions,
  ConfigurationError,
  type RequestOptions,
  VERSION,
} from '@changgu/sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { request, testClient } from './support/client.ts';
import { ACTION, failureOf, fake } from './support/fake.ts';
import { accepted, json, scriptedServer } from './support/scripted-server.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const keys = { clientId: 'a', clientSecret: 'b' };

describe('the configuration of a client', () => {
  it.each([
    ['http elsewhere', 'http://changgu.example.com'],
    ['no URL', 'changgu'],
    ['another scheme', 'ftp://localhost'],
    ['credentials in the URL', 'https://u:p@changgu.test'],
    ['a query', 'https://changgu.test?x=1'],
  ])('refuses %s as base URL', (_, baseUrl) => {
    expect(() => new Changgu({ ...keys, baseUrl })).toThrow(ConfigurationError);
  });

  it.each([
    'https://changgu.test/',
    'http://127.0.0.1:4010',
    'http://localhost:1',
    'http://[::1]:1',
  ])('takes %s', (baseUrl) => {
    expect(() => new Changgu({ ...keys, baseUrl })).not.toThrow();
  });

  it('comes from the environment (D150)', async () => {
    const { url, seen } = await scriptedServer(json(202, accepted));
    vi.stubEnv('CHANGGU_BASE_URL', `${url}/`);
    vi.stubEnv('CHANGGU_CLIENT_ID', 'id');
    vi.stubEnv('CHANGGU_CLIENT_SECRET', 's:ecret');
    vi.stubEnv('CHANGGU_ENV_SCOPE', 'real_test');
    await using client = new Changgu();
    await client.jobs.submit(request);
    expect(seen[0]?.headers).toMatchObject({
      authorization: `Basic ${btoa('id:s:ecret')}`,
      'x-env-scope': 'real_test',
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^changgu-sdk\/\d+\.\d+\.\d+ node\//),
      'x-trace-id': expect.stringMatching(/^trc_[0-9a-f]{32}$/),
    });
  });

  it('says what is missing', async () => {
    expect(() => new Changgu(keys)).toThrow('CHANGGU_BASE_URL');
    expect(() => new Changgu({ baseUrl: 'https://a.test', clientId: 'x' })).toThrow('together');
    expect(
      () => new Changgu({ ...keys, baseUrl: 'https://a.test', envScope: 'x' as 'sandbox' }),
    ).toThrow('sandbox, real_test, production');
    const unconfigured = new Changgu({ baseUrl: 'https://a.test' });
    expect(await failureOf(unconfigured.jobs.list())).toMatchObject({
      code: 'CONFIGURATION_INVALID',
    });
  });

  it('never completes half a key, or an empty token, with another credential', async () => {
    vi.stubEnv('CHANGGU_CLIENT_ID', 'machine');
    vi.stubEnv('CHANGGU_CLIENT_SECRET', 'its-secret');
    const baseUrl = 'https://a.test';
    for (const half of [{ clientId: 'tenant', clientSecret: undefined }, { clientSecret: 's' }]) {
      expect(() => new Changgu({ baseUrl, ...half })).toThrow('together');
    }
    for (const token of ['', () => '', () => Object(undefined).token]) {
      const { client, service, run } = fake({ token });
      expect(await run(failureOf(client.account.session()))).toMatchObject({
        code: 'CONFIGURATION_INVALID',
        message: expect.stringContaining('token is empty'),
      });
      expect(service.requests).toEqual([]);
    }
  });

  it('gives each operation the credential it wants, and never a second one', async () => {
    const { url, seen } = await scriptedServer(json(200, { items: [], next_cursor: null }));
    const both = testClient(url, { token: async () => 'tok' });
    await both.jobs.list();
    await both.appCredentials.list();
    await both.system.health();
    const legacy = new Changgu({ baseUrl: url, apiKey: 'legacy' });
    await legacy.membership.me();
    await legacy.close();
    const sent = seen.map(({ headers }) => headers.authorization ?? headers['x-api-key'] ?? null);
    expect(sent).toEqual([`Basic ${btoa('cli_test:the-secret')}`, 'Bearer tok', null, 'legacy']);
    expect(seen.at(-1)?.headers.authorization).toBeUndefined();
  });

  it('waits for a token no longer than for the whole call', async () => {
    const token = () => new Promise<string>(() => {});
    const { client, run } = fake({ token });
    const call = client.appCredentials.list({ totalTimeoutMs: 5_000 });
    expect(await run(failureOf(call))).toMatchObject({
      code: 'TIMEOUT',
      clock: 'total',
      limitMs: 5_000,
      operation: 'listAppCredentials',
    });
  });

  it('counts the time for a token towards the whole call', async () => {
    const { client, clock, run } = fake({
      token: () => new Promise((resolve) => void clock.setTimeout(() => resolve('tok'), 3_000)),
      fetch: () => new Promise(() => {}),
    });
    const before = clock.now();
    const call = client.appCredentials.list({ totalTimeoutMs: 5_000 });
    expect(await run(failureOf(call))).toMatchObject({ clock: 'total', limitMs: 5_000 });
    expect(clock.now() - before).toBe(5_000);
  });

  it('counts it once also where a call has several requests', async () => {
    const { client, clock, run } = fake({
      clientId: undefined,
      clientSecret: undefined,
      token: () => new Promise((resolve) => void clock.setTimeout(() => resolve('tok'), 20_000)),
      fetch: () => new Promise(() => {}),
    });
    const before = clock.now();
    const limits = { attemptTimeoutMs: 60_000, totalTimeoutMs: 60_000 };
    const call = client.jobs.submit({ action: ACTION }, limits);
    expect(await run(failureOf(call))).toMatchObject({ clock: 'total', limitMs: 60_000 });
    expect(clock.now() - before).toBe(60_000);
  });

  it('lets the service hold a call of the tax portal for its 30 s, also with the options spread (D83)', async () => {
    const fetch = () => new Promise<never>(() => {});
    const limitOf = async (given: ClientOptions, options: RequestOptions = {}) => {
      const { client, run } = fake({ fetch, maxRetries: 0, ...given });
      const calls = [
        client.taxPortal.userInfo({}, options),
        client.taxPortal.run('taxPortalCertificatesList', {}, options),
      ];
      const limits = await run(Promise.all(calls.map(failureOf)));
      expect(limits[0]).toMatchObject({ limitMs: Object(limits[1]).limitMs });
      return Object(limits[0]).limitMs;
    };
    expect(await limitOf({})).toBe(45_000);
    expect(await limitOf({}, { attemptTimeoutMs: undefined })).toBe(45_000);
    expect(await limitOf({ attemptTimeoutMs: 1_000 })).toBe(45_000);
    expect(await limitOf({ attemptTimeoutMs: 60_000 })).toBe(60_000);
    expect(await limitOf({ attemptTimeoutMs: 60_000 }, { attemptTimeoutMs: 1_000 })).toBe(1_000);
  });

  it('stays in its environment where a derived client names none', async () => {
    const { client, service, run } = fake({ envScope: 'production' });
    const derived = client.with({ envScope: undefined });
    await run(derived.jobs.list());
    expect(service.requests.at(-1)?.headers.get('x-env-scope')).toBe('production');
  });

  it('cannot be made to send another key or credential by further headers', async () => {
    const { url, seen } = await scriptedServer(json(202, accepted));
    const headers = { Authorization: 'Bearer x', 'Idempotency-Key': 'mine', 'X-Extra': '1' };
    const handle = await testClient(url, { headers }).jobs.submit(request);
    expect(seen[0]?.headers).toMatchObject({
      authorization: `Basic ${btoa('cli_test:the-secret')}`,
      'idempotency-key': handle.idempotencyKey,
      'x-extra': '1',
    });
  });

  it('cannot be led to another route by an id', async () => {
    const { url, seen } = await scriptedServer(json(404, {}));
    const client = testClient(url);
    await failureOf(client.jobs.get('../credentials?x=1#'));
    expect(seen[0]?.url).toBe('/v1/jobs/..%2Fcredentials%3Fx%3D1%23');
    for (const id of ['', '.', '..']) {
      expect(await failureOf(client.jobs.get(id))).toMatchObject({ code: 'CONFIGURATION_INVALID' });
    }
    expect(seen).toHaveLength(1);
  });

  it('knows its own version', () => {
    const manifest = readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8');
    expect(VERSION).toBe(JSON.parse(manifest).version);
  });
});

describe('middleware, logger and events', () => {
  it('wraps every attempt, outermost first, with the bytes that are sent', async () => {
    const { client, service, run } = fake({
      middleware: [
        (request, next, { attempt }) => {
          order.push(`client ${attempt}`);
          return next({ ...request, headers: { ...request.headers, 'x-signed': 'yes' } });
        },
      ],
    });
    const order: string[] = [];
    service.faults.add({ kind: 'refuse' });
    await run(
      client.jobs.submit(
        { action: ACTION },
        {
          middleware: [
            async (request, next, context) => {
              order.push(`call ${context.attempt} ${context.operation}`);
              const response = await next(request);
              order.push(`answer ${response.status}`);
              return response;
            },
          ],
        },
      ),
    );
    expect(order).toEqual([
      'client 1',
      'call 1 submitJob',
      'client 2',
      'call 2 submitJob',
      'answer 202',
    ]);
    expect(service.requests[0]?.headers.get('x-signed')).toBe('yes');
  });

  it('may answer itself', async () => {
    const { client } = fake();
    const cached = { status: 200, headers: new Headers({ 'content-type': 'application/json' }) };
    const health = await client.system.health({
      middleware: [async () => ({ ...cached, body: '{"status":"ok"}' })],
    });
    expect(health).toEqual({ status: 'ok' });
  });

  it('tells of retries, and an event that throws stops nothing', async () => {
    const events: unknown[] = [];
    const lines: unknown[] = [];
    const line = (message: string, fields: object) => lines.push({ message, ...fields });
    const { client, service, run } = fake({
      logger: { debug: line, info: line, warn: line, error: line },
      onRetry: (event) => {
        events.push(event);
        throw new Error('mine');
      },
    });
    service.faults.add({ kind: 'refusal', code: 'RATE_LIMITED', retryAfterSeconds: 1 });
    const handle = await run(client.jobs.submit({ action: ACTION }));
    expect(events).toMatchObject([
      { operation: 'submitJob', attempts: 1, delayMs: 1000, idempotencyKey: handle.idempotencyKey },
    ]);
    expect(lines).toMatchObject([
      { message: 'answer', status: 429 },
      { message: 'retry', code: 'RATE_LIMITED' },
      { message: 'onRetry threw' },
      { message: 'answer', status: 202, url: 'https://changgu.test/v1/jobs' },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/Basic|fake-secret/);
  });
});
