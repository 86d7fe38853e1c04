import { type ErrorEnvelope, OPERATIONS, type Operation } from '@changgu/contract/schemas';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPostgresDatabase, type TestDatabase } from '../src/store/testing/describe-stores.ts';
import { encrypt } from './support/encrypt.ts';
import { bearer, newPerson } from './support/people.ts';
import { startTestServer, type TestServer } from './support/start-server.ts';

/** CHANGGU_TEST_RUNS=10000 for the long form. */
const RUNS = Number(process.env.CHANGGU_TEST_RUNS ?? 400);
/** In the names of the tests, so that no report of a failure is without it; set CHANGGU_TEST_SEED to repeat one. */
const SEED = Number(process.env.CHANGGU_TEST_SEED ?? Date.now() % 2 ** 31);

let server: TestServer;
let database: TestDatabase | null;
let callers: readonly Record<string, string>[];
/** A few values that mean something, so that requests get past the first check. */
let meaningful: readonly unknown[];

async function setUp(): Promise<void> {
  const env = { RATE_LIMIT: '1000000/60', ...(database && { DATABASE_URL: database.url }) };
  server = await startTestServer({ env });
  const person = await newPerson(server);
  const { authorization = '' } = server.headers();
  callers = [
    { authorization },
    bearer(person.token),
    bearer(server.adminToken),
    { 'x-api-key': server.legacyApiKey },
  ];
  const link = await person.call('POST', '/v1/credentials/link', {
    provider: 'bank_b',
    login_id: encrypt('hostile'),
    login_password: encrypt('p'),
  });
  meaningful = [
    link.body.account_link_id,
    encrypt('1234'),
    person.email,
    person.password,
    'bank_b',
    'bank_b.accounts.list',
    'sandbox',
    'real_test',
    'APPROVED',
    'STANDARD',
    'user_request',
    1,
    true,
    null,
  ];
}

const NASTY = [
  '',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '../../../etc/passwd',
  "'; drop table jobs; --",
  '{{7*7}}',
  '%00',
  '🔑'.repeat(400),
  'x'.repeat(100_000),
  '９９９',
  '1e999',
  '__proto__',
  'constructor',
];

const leaf = () =>
  fc.oneof(
    fc.constantFrom(...NASTY),
    fc.constantFrom(...meaningful),
    fc.constantFrom<unknown>(-1, 0, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, true, null),
    fc.string({ unit: 'binary', maxLength: 40 }),
  );

/** Bodies with the names that an operation knows, and any values; or anything at all. */
function bodyOf(operation: Operation): fc.Arbitrary<unknown> {
  const names = propertyNames(operation);
  const value = fc.oneof({ weight: 4, arbitrary: leaf() }, fc.jsonValue({ maxDepth: 3 }));
  const known = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: names.length });
  const strange = fc.dictionary(fc.oneof(fc.constantFrom(...names, ...NASTY), fc.string()), value);
  return fc.oneof({ weight: 5, arbitrary: known }, strange, value);
}

function propertyNames({ body }: Operation): string[] {
  const properties: unknown = body && Reflect.get(body, 'properties');
  return [...Object.keys(properties ?? {}), 'unknown'];
}

const request = () =>
  fc.constantFrom(...OPERATIONS).chain((operation) =>
    fc.record({
      operation: fc.constant(operation),
      caller: fc.constantFrom(...callers),
      ids: fc.array(leaf(), { minLength: 2, maxLength: 2 }),
      query: fc.dictionary(fc.constantFrom('limit', 'cursor', 'status', 'env_scope', 'x'), leaf(), {
        maxKeys: 2,
      }),
      envScope: fc.constantFrom('sandbox', 'real_test', 'production', 'x'),
      header: fc.stringMatching(/^[\x21-\x7e]{0,200}$/),
      body: bodyOf(operation),
      mangle: fc.constantFrom('none', 'none', 'none', 'cut', 'latin1', 'type'),
    }),
  );

const SANDBOX = { 'x-env-scope': 'sandbox', 'content-type': 'application/json' };

type Hostile = ReturnType<typeof request> extends fc.Arbitrary<infer R> ? R : never;

async function send(hostile: Hostile): Promise<Response> {
  const { operation, ids, query, mangle } = hostile;
  let next = 0;
  const path = operation.path.replaceAll(/\{\w+\}/g, () => {
    const id = ids[next];
    next += 1;
    return toUri(String(id).slice(0, 300)) || 'x';
  });
  const search = Object.entries(query)
    .map(([name, value]) => `${name}=${toUri(String(value).slice(0, 300))}`)
    .join('&');
  const hasBody = operation.method !== 'GET' && operation.body !== undefined;
  const text = JSON.stringify(hostile.body) ?? '';
  const bytes = mangle === 'cut' ? text.slice(0, text.length / 2) : text;
  return fetch(new URL(`${path}?${search}`, server.url), {
    method: operation.method,
    redirect: 'manual',
    headers: {
      ...hostile.caller,
      'x-env-scope': hostile.envScope,
      'x-trace-id': hostile.header,
      'x-organization-id': hostile.header,
      'idempotency-key': hostile.header || 'k',
      'content-type': mangle === 'type' ? 'text/plain' : 'application/json',
    },
    ...(hasBody ? { body: Buffer.from(bytes, mangle === 'latin1' ? 'latin1' : 'utf8') } : {}),
  });
}

/** The request without its credentials. */
function described({ operation, caller, ...rest }: Hostile): string {
  return JSON.stringify({ operation: operation.id, caller: Object.keys(caller), ...rest });
}

/** Lone surrogates have no URI form. */
function toUri(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function assertEnvelope(text: string): void {
  const answer: ErrorEnvelope & { jsonrpc?: string } = JSON.parse(text);
  // What is not JSON-RPC is answered in JSON-RPC.
  if (answer.jsonrpc === '2.0') return;
  const { error } = answer;
  expect(Object.keys(error)).toEqual(
    expect.arrayContaining(['code', 'message', 'retryable', 'provider_error_ref', 'trace_id']),
  );
  expect(error.trace_id).toMatch(/^trc_[0-9a-f]+$/);
}

describe.each(['sqlite', 'postgres'] as const)('whatever is sent (%s) (R121, R122)', (dialect) => {
  beforeAll(async () => {
    database = dialect === 'postgres' ? await createPostgresDatabase() : null;
    await setUp();
  }, 60_000);
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await database?.remove();
  });

  it('a NUL in a path is refused in the same way by both databases', async () => {
    // Only a server with simulators has their operation.
    const offered = OPERATIONS.filter((each) => each.params && each.id !== 'setSimulatorState');
    for (const { id, method, path, body } of offered) {
      for (const caller of callers) {
        const answer = await fetch(new URL(path.replaceAll(/\{\w+\}/g, '%00'), server.url), {
          method,
          redirect: 'manual',
          headers: { ...caller, ...SANDBOX, 'idempotency-key': 'nul' },
          ...(body && method !== 'GET' ? { body: '{}' } : {}),
        });
        expect([401, 403, 404, 422], `${id}: ${answer.status}`).toContain(answer.status);
        assertEnvelope(await answer.text());
      }
    }
  });

  it(
    `is answered without a 500, errors in the envelope (${RUNS} requests, seed ${SEED})`,
    async () => {
      await fc.assert(
        fc.asyncProperty(request(), async (hostile) => {
          const answer = await send(hostile);
          const text = await answer.text();
          expect(answer.status, `${described(hostile)} ${text}`).not.toBe(500);
          if (answer.status >= 400) assertEnvelope(text);
        }),
        { seed: SEED, numRuns: RUNS, endOnFailure: true },
      );
    },
    RUNS * 100 + 60_000,
  );

  it(
    'any Authorization or x-api-key that proves nothing is 401',
    async () => {
      const anything = fc.stringMatching(/^[\x20-\x7e\x80-\xff]{0,300}$/);
      const header = fc.oneof(
        anything,
        anything.map((text) => `Bearer ${text}`),
        anything.map((text) => `Basic ${text}`),
        fc
          .string({ unit: 'binary' })
          .map((text) => `Basic ${Buffer.from(text).toString('base64')}`),
        fc
          .string({ unit: 'binary' })
          .map(
            (text) =>
              `Basic ${Buffer.from(`${server.client.client_id}:${text}`).toString('base64')}`,
          ),
      );
      await fc.assert(
        fc.asyncProperty(header, fc.boolean(), async (value, isKey) => {
          const answer = await fetch(new URL('/v1/jobs', server.url), {
            headers: {
              [isKey ? 'x-api-key' : 'authorization']: value.trim(),
              'x-env-scope': 'sandbox',
            },
          });
          // Too many from one address are refused before they are checked.
          expect([401, 429]).toContain(answer.status);
          assertEnvelope(await answer.text());
        }),
        { seed: SEED, numRuns: RUNS },
      );
    },
    RUNS * 100 + 60_000,
  );
});
