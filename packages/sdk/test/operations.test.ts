import { OPERATIONS } from '@changgu/contract/schemas';
import { Changgu } from '@changgu/sdk';
import { describe, expect, it } from 'vitest';
import { OPERATION_TABLE, type OperationRow } from '../src/operations/operation-table.ts';

interface Seen {
  /** Operations that were called. */
  readonly called: Set<string>;
  /** Those of them that a generator called. */
  readonly walked: Set<string>;
  /** Methods whose promise does not tell of its answer. */
  readonly mute: Set<string>;
}

/** Calls every public method of the client once and notes what came of it. */
async function everyMethod(): Promise<Seen> {
  const seen: Seen = { called: new Set(), walked: new Set(), mute: new Set() };
  const { called } = seen;
  const client = new Changgu({
    baseUrl: 'https://changgu.test',
    clientId: 'a',
    clientSecret: 'b',
    maxRetries: 0,
    encryptor: { encryptPieces: (_, pieces) => pieces.map(() => new Uint8Array(512)) },
    fetch: async () => Response.json({ keys: [KEY], items: [], next_cursor: null }),
    middleware: [
      (request, next, { operation }) => {
        called.add(operation);
        return next(request);
      },
    ],
  });
  for (const resource of Object.values(client)) await callMethods(resource, seen);
  // Refused, so that no test waits.
  const refused = client.with({ middleware: [async () => REFUSAL] });
  await callMethods(refused.jobs.resume(JOB_ID), seen);
  return seen;
}

async function callMethods(resource: object, seen: Seen): Promise<void> {
  for (const inner of Object.values(resource)) {
    if (typeof inner === 'object' && inner !== null) await callMethods(inner, seen);
  }
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(resource));
  for (const name of methods) {
    if (name === 'constructor') continue;
    for (const args of argumentsOf(name)) {
      const result: unknown = await callSafely(resource, name, args, seen);
      if (name === 'consentReturnUrl' && /\/consent-return\?.*code=c/.test(String(result))) {
        seen.called.add('consentReturn');
      }
    }
  }
}

/** One call is enough for most; `run` of the tax portal is one method for a family. */
function argumentsOf(name: string): unknown[][] {
  const body = { action: 'a.b', accountNo: '1', accountPassword: '1', code: 'c' };
  if (name !== 'run') return [['id', body], [body], [1, body], ['id', 'id'], ['id', 'id', '1234']];
  return Object.keys(OPERATION_TABLE)
    .filter((operation) => operation.startsWith('taxPortal'))
    .map((operation) => [operation, {}]);
}

async function callSafely(
  resource: object,
  name: string,
  args: unknown[],
  { called, walked, mute }: Seen,
): Promise<unknown> {
  const before = new Set(called);
  try {
    const result: unknown = Reflect.apply(Reflect.get(resource, name), resource, args);
    if (result instanceof Promise && !('withResponse' in result)) {
      mute.add(`${resource.constructor.name}.${name}`);
    }
    if (isGenerator(result)) {
      called.clear();
      await result.next().finally(() => {
        for (const operation of called) walked.add(operation);
        for (const operation of before) called.add(operation);
      });
      return null;
    }
    return await result;
  } catch {
    // The answer fits hardly any operation; what counts is that it was called.
    return null;
  }
}

function isGenerator(value: unknown): value is AsyncGenerator {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

const JOB_ID = 'job_01JD0000000000000000000000';
const REFUSAL = { status: 403, headers: new Headers(), body: '{}' };

const KEY = {
  kid: 'k',
  kty: 'RSA',
  alg: 'RSA-OAEP-256',
  use: 'enc',
  e: 'AQAB',
  n: btoa(String.fromCharCode(...new Uint8Array(512).fill(255)))
    .replaceAll('/', '_')
    .replaceAll('=', ''),
};

function rowOf(id: string): OperationRow | undefined {
  return Object.entries(OPERATION_TABLE).find(([name]) => name === id)?.[1];
}

describe('the operations of the wire', () => {
  it('are in the table with their method and path', () => {
    const line = (id: string, method: string, path: string) => `${id}: ${method} ${path}`;
    const table = Object.entries(OPERATION_TABLE).map(([id, { method, path }]) =>
      line(id, method, path),
    );
    const wire = OPERATIONS.map(({ id, method, path }) => line(id, method, path));
    expect(table.sort()).toEqual(wire.sort());
  });

  it('are repeated only where the contract makes a repeat harmless', () => {
    const rows = OPERATIONS.map((operation) => ({ ...operation, ...rowOf(operation.id) }));
    const keyed = rows.filter(({ repeat }) => repeat === 'keyed').map(({ id }) => id);
    const takesKey = rows.filter(({ idempotencyKey }) => idempotencyKey).map(({ id }) => id);
    expect(keyed).toEqual(takesKey);
    const reads = rows.filter(({ repeat }) => repeat === 'read');
    expect(reads.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('that remove something are repeated only where the service answers the repeat as the first time', () => {
    const removals = OPERATIONS.filter(({ method }) => method === 'DELETE').map(({ id }) => id);
    const repeated = removals.filter((id) => rowOf(id)?.repeat !== 'once');
    expect(repeated.toSorted()).toEqual([
      'deleteJobArtifacts',
      'resetMemberFactors',
      'unlinkBankAccount',
    ]);
  });

  it('want credentials exactly where the contract does', () => {
    const open = OPERATIONS.filter(({ may }) => may === 'anyone').map(({ id }) => id);
    const sent = OPERATIONS.filter(({ id }) => rowOf(id)?.authority === 'anonymous');
    expect(sent.map(({ id }) => id)).toEqual(open);
  });

  it('prefer a person where a key needs a right of its own (D158)', () => {
    const special = OPERATIONS.filter(
      ({ may }) => may !== 'anyone' && may.console_user !== undefined && may.client !== true,
    );
    expect(special.length).toBeGreaterThan(10);
    expect(special.map(({ id }) => id).filter((id) => rowOf(id)?.authority === 'client')).toEqual(
      [],
    );
  });

  it('each have a method on the client', async () => {
    const { called } = await everyMethod();
    // Signed downloads go past the middleware, which could add credentials; artifacts.test.ts covers them.
    // Tools are called by MCP clients; the export is for those who have none, the client walks the list.
    const others = ['downloadArtifact', 'callMcp', 'exportOwnAudit'];
    const expected = OPERATIONS.map(({ id }) => id).filter((id) => !others.includes(id));
    expect(expected.filter((id) => !called.has(id))).toEqual([]);
  });

  it('that give a page can be walked to their end', async () => {
    const { walked } = await everyMethod();
    const pages = OPERATIONS.filter(({ query }) => /"(cursor|after)"/.test(JSON.stringify(query)));
    expect(pages.length).toBeGreaterThan(5);
    expect(pages.map(({ id }) => id).filter((id) => !walked.has(id))).toEqual([]);
  });

  it('tell of their answer', async () => {
    const { mute } = await everyMethod();
    // Preparing sends nothing, and those who wait on a handle share its readings.
    expect([...mute].toSorted()).toEqual(['JobHandle.wait', 'Jobs.prepare']);
  });
});
