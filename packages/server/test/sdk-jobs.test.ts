import {
  Changgu,
  type ClientOptions,
  isChangguError,
  JobFailedError,
  type Middleware,
} from '@changgu/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from './support/start-server.ts';

let server: TestServer;
let client: Changgu;

const ACTION = 'bank_b.accounts.transaction_history.search';

function clientWith(options: ClientOptions = {}): Changgu {
  return new Changgu({
    baseUrl: server.url,
    clientId: server.client.client_id,
    clientSecret: server.client.client_secret,
    envScope: 'sandbox',
    ...options,
  });
}

beforeAll(async () => {
  server = await startTestServer({ env: { SANDBOX_DELAY_MS: '20' }, links: true });
  client = clientWith();
});
afterAll(async () => {
  await client.close();
  await server[Symbol.asyncDispose]();
});

describe('the SDK and the server', () => {
  it('submit, wait and read, by long polls', async () => {
    const polls: string[] = [];
    const handle = await client.jobs.submit({ action: ACTION, params: { direction: 'in' } });
    const result = await handle.result({ onProgress: ({ status }) => polls.push(status) });
    expect(result).toMatchObject({
      sandbox: true,
      data: { mock: true, params_echo: { direction: 'in' } },
      artifacts: [],
    });
    expect(polls.at(-1)).toBe('SUCCEEDED');
  });

  it('replay under one key, and a handle continues in another client (R1, R3)', async () => {
    const request = { action: ACTION, idempotencyKey: 'sdk-replay' } as const;
    const first = await client.jobs.submit(request);
    await first.wait();
    const again = await client.jobs.submit(request);
    expect(again).toMatchObject({ id: first.id, replayed: true, status: 'SUCCEEDED' });
    await using other = clientWith();
    const resumed = other.jobs.resume(JSON.parse(JSON.stringify(first)));
    expect(await resumed.result()).toMatchObject({ jobId: first.id });
  });

  it('find by its key the job of a submission whose answer was lost', async () => {
    const loseAnswer: Middleware = async (request, next) => {
      await next(request);
      throw new Error('lost');
    };
    const request = { action: ACTION, idempotencyKey: 'sdk-lost' } as const;
    const lost = client.jobs.submit(request, { middleware: [loseAnswer] });
    await expect(lost).rejects.toThrow('lost');
    await client.jobs.submit({ ...request, idempotencyKey: 'sdk-other' });
    const { items } = await client.jobs.list({ idempotencyKey: request.idempotencyKey });
    expect(items).toHaveLength(1);
    const replayed = await client.jobs.submit(request);
    expect(replayed).toMatchObject({ id: items[0]?.jobId, replayed: true });
    expect(await client.jobs.list({ idempotencyKey: 'sdk-never' })).toMatchObject({ items: [] });
  });

  it('submit a prepared request with secrets twice and make one job (D28)', async () => {
    const prepared = await client.jobs.prepare({
      action: ACTION,
      secrets: { account_password: '1234' },
    });
    const stored = JSON.stringify(prepared);
    const [first, second] = await Promise.all([
      client.jobs.submit(JSON.parse(stored)),
      client.jobs.submit(JSON.parse(stored)),
    ]);
    expect(second.id).toBe(first.id);
    await expect(first.result()).resolves.toMatchObject({ data: { params_echo: {} } });
  });

  it('tell a failed job by its type (D73)', async () => {
    const failing = client.jobs.run({
      action: ACTION,
      sandboxOutcome: 'FAILED;code=PROVIDER_MAINTENANCE',
    });
    await expect(failing).rejects.toMatchObject({
      name: 'JobFailedError',
      failure: { code: 'PROVIDER_MAINTENANCE', retryable: true },
    });
  });

  it('yield the changes of a job as events', async () => {
    const handle = await client.jobs.submit({ action: ACTION });
    const states: string[] = [];
    for await (const { status } of handle.events()) states.push(status);
    expect(states.at(-1)).toBe('SUCCEEDED');
  });

  it('query all accounts of a bank', async () => {
    const seen: string[] = [];
    for await (const outcome of client.jobs.allAccounts({ action: ACTION })) {
      if (!outcome.ok) throw outcome.error;
      expect(outcome.result.data).toMatchObject({
        params_echo: { bank_account_credential_id: outcome.bankAccountCredentialId },
      });
      seen.push(outcome.bankAccountCredentialId);
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThan(0);
  });

  it('refuse with the error of the service, in the language asked for', async () => {
    await using english = clientWith({ language: 'en', clientSecret: 'wrong' });
    const error = await english.jobs.list().catch((thrown: unknown) => thrown);
    if (!isChangguError(error)) throw error;
    expect(error).toMatchObject({ name: 'AuthenticationError', code: 'AUTH_INVALID_CREDENTIALS' });
    expect(error.message).toContain('not valid');
    expect(error.traceId).toMatch(/^trc_[0-9a-f]{32}$/);
  });

  it('tell why a job failed in the language asked for', async () => {
    const request = { action: ACTION, sandboxOutcome: 'FAILED;code=PROVIDER_MAINTENANCE' };
    for (const [language, words] of [
      ['ko', /점검/],
      ['en', /maintenance/],
    ] as const) {
      await using speaking = clientWith({ language });
      const error = await speaking.jobs.run(request).catch((thrown: unknown) => thrown);
      if (!(error instanceof JobFailedError)) throw error;
      expect(error.failure?.message).toMatch(words);
      const { items } = await speaking.jobs.list({ status: ['FAILED'], limit: 1 });
      expect(items[0]?.error?.message).toMatch(words);
    }
  });

  it('list, check, read the timeline, cancel', async () => {
    const handle = await client.jobs.submit({ action: ACTION });
    await handle.wait();
    const { items } = await client.jobs.list({ limit: 1 });
    expect(items).toHaveLength(1);
    const { events } = await client.jobs.timeline(handle.id);
    expect(events.at(0)).toMatchObject({ kind: 'accepted' });
    expect(await client.jobs.validate({ action: ACTION })).toMatchObject({ valid: true });
    await expect(client.jobs.cancel(handle.id)).rejects.toMatchObject({
      code: 'JOB_ALREADY_FINISHED',
    });
  });

  it('read health and membership', async () => {
    expect(await client.system.health()).toMatchObject({ status: 'ok', version: '2.0.0' });
    expect(await client.membership.me()).toMatchObject({ success: true, principalKind: 'client' });
  });

  it('log in to the console, issue a key, use it, revoke it', async () => {
    await using anyone = clientWith({ clientId: '', clientSecret: '' });
    const { accessToken } = await anyone.account.login(server.console);
    await using person = clientWith({ token: accessToken });
    const { clientId, clientSecret } = await person.appCredentials.issue({ label: 'sdk' });
    await using fresh = clientWith({ clientId, clientSecret });
    await expect(fresh.jobs.run({ action: ACTION })).resolves.toBeDefined();
    expect(await person.appCredentials.revoke(clientId)).toMatchObject({ status: 'REVOKED' });
    await expect(fresh.jobs.list()).rejects.toMatchObject({ name: 'AuthenticationError' });
  });
});
