import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectGarbage } from '../../src/collect-garbage.ts';
import { bearer, newMember, newPerson, type Person } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

/** One job runs until after the tests, and all others wait behind it. */
const BUSY = { SANDBOX_SLOTS: '1', SANDBOX_DELAY_MS: '600000', SHUTDOWN_SECONDS: '0' };

let server: TestServer;
let owner: Person;
/** Goes on working. */
let other: Record<string, string>;

beforeAll(async () => {
  server = await startTestServer({ env: BUSY });
  owner = await newPerson(server);
  other = (await newKey()).headers;
});
afterAll(() => server[Symbol.asyncDispose]());

async function newKey() {
  const { body } = await owner.call('POST', '/v1/app-credentials', { label: 'key' });
  const clientId: string = body.client_id;
  const authorization = `Basic ${btoa(`${clientId}:${body.client_secret}`)}`;
  return { clientId, headers: { authorization, 'x-env-scope': 'sandbox' } };
}

/** Reads an open answer: its beginning, and then what else it tells until `isEnough`, or its end. */
async function open(path: string, init: RequestInit) {
  const answer = await fetch(new URL(path, server.url), init);
  if (answer.body === null) throw new Error(`no body of ${path}`);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  const { value: beginning } = await reader.read();
  return {
    beginning,
    async rest(isEnough: (text: string) => boolean): Promise<string> {
      let text = '';
      while (!isEnough(text)) {
        const { done, value } = await reader.read();
        if (done) return text;
        text += value;
      }
      await reader.cancel();
      return text;
    },
  };
}

const follow = (headers: Record<string, string>) =>
  open('/v1/events', { headers: { ...headers, accept: 'text/event-stream' } });

const isTold = (text: string) => text.includes('event: ');

async function submitJob(): Promise<string> {
  const { status, body } = await server.call('POST', '/v1/jobs', {
    headers: { ...other, 'idempotency-key': crypto.randomUUID() },
    body: { provider: 'bank_a', action: 'bank_a.accounts.list' },
  });
  expect(status).toBe(202);
  return body.job_id;
}

async function revoke(clientId: string): Promise<void> {
  const { status } = await owner.call('POST', `/v1/app-credentials/${clientId}/revoke`, {});
  expect(status).toBe(200);
}

describe('a reader is told of nothing that happens after', () => {
  it('the key was revoked (D98)', async () => {
    const { clientId, headers } = await newKey();
    const stream = await follow(headers);
    await revoke(clientId);
    await submitJob();
    expect(await stream.rest(isTold)).toBe('');
  });

  it('the session ended (D98)', async () => {
    const member = await newMember(server, owner, 'MEMBER');
    const stream = await follow(bearer(member.token));
    expect((await member.call('POST', '/v1/auth/logout')).status).toBe(200);
    await submitJob();
    expect(await stream.rest(isTold)).toBe('');
  });

  it('a role was lost that is needed to read it (D158)', async () => {
    const admin = await newMember(server, owner, 'ADMIN');
    const stream = await follow(bearer(admin.token));
    const { status } = await owner.call('PATCH', `/v1/members/${admin.userId}`, { role: 'MEMBER' });
    expect(status).toBe(200);
    expect(await stream.rest(isTold)).toBe('');
  });

  it('the key was revoked with which a host listens to jobs (D98)', async () => {
    const { clientId, headers } = await newKey();
    await submitJob();
    const jobId = await submitJob();
    const host = new Client(
      { name: 'listening-host', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    const address = new URL('/mcp', server.url);
    await host.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
    let told = 0;
    const begun = Promise.withResolvers<void>();
    host.setNotificationHandler('notifications/resources/updated', () => {
      told += 1;
      begun.resolve();
    });
    const uri = `changgu://jobs/${jobId}`;
    const subscription = await host.listen({ resourceSubscriptions: [uri] });
    // It is told once of what it may have missed before it listened.
    await begun.promise;
    // As happens sooner or later while an answer is open.
    collectGarbage();
    await revoke(clientId);
    const canceled = await server.call('POST', `/v1/jobs/${jobId}/cancel`, { headers: other });
    expect(canceled.status).toBe(200);
    await subscription.closed;
    expect(told).toBe(1);
    await host.close();
  });
});
