/** What a client is given is checked at once; what derives from it keeps its promises. */
import { Changgu } from '@changgu/sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { testClient } from './support/client.ts';
import { ACTION, failureOf, fake, HISTORY } from './support/fake.ts';
import { json, scriptedServer } from './support/scripted-server.ts';

const base = { baseUrl: 'https://changgu.test', clientId: 'cli', clientSecret: 's' };

afterEach(() => vi.unstubAllEnvs());

describe('options', () => {
  it.each([
    [{ attemptTimeoutMs: -1 }, 'attemptTimeoutMs'],
    [{ totalTimeoutMs: Number.NaN }, 'totalTimeoutMs'],
    [{ maxRetries: 1.5 }, 'maxRetries'],
    [{ organizationId: 0 }, 'organizationId'],
    [{ connection: { connections: 0 } }, 'connections'],
    [{ retryBudget: { ratio: -1, burst: 1 } }, 'ratio'],
    [{ language: 'fr' as 'en' }, 'language'],
    [{ stallTimeoutMs: -1 }, 'stallTimeoutMs'],
    [{ maxRetryAfterMs: Number.NaN }, 'maxRetryAfterMs'],
    [{ connection: { waits: -1 } }, 'waits'],
    [{ connection: { connectTimeoutMs: -1 } }, 'connectTimeoutMs'],
    [{ retryBudget: { ratio: 1, burst: Number.NaN } }, 'burst'],
  ])('are refused when given: %j', (options, name) => {
    expect(() => new Changgu({ ...base, ...options })).toThrow(name);
  });

  it('of a call are refused before anything is sent', async () => {
    const { client, service } = fake();
    const submit = client.jobs.submit({ action: ACTION }, { maxRetries: -1 });
    expect(String(await failureOf(submit))).toContain('maxRetries');
    expect(() => client.jobs.allAccounts({ action: HISTORY }, { concurrency: 0 })).toThrow(
      'concurrency',
    );
    expect(() => client.jobs.allAccounts({ action: HISTORY, batchKey: 'b'.repeat(129) })).toThrow(
      '1 to 128',
    );
    expect(service.requests).toHaveLength(0);
  });

  it('of a wait are refused at once, and those of all accounts before a round is sent', async () => {
    const { client, service } = fake();
    const job = await client.jobs.submit({ action: ACTION });
    const sent = service.requests.length;
    expect(String(await failureOf(job.wait({ timeoutMs: -1 })))).toContain('timeoutMs');
    expect(String(await failureOf(job.result({ timeoutMs: Number.NaN })))).toContain('timeoutMs');
    for (const name of ['timeoutMs', 'graceMs', 'totalTimeoutMs']) {
      const steps = () => client.jobs.allAccountsSteps({ action: HISTORY }, { [name]: -1 });
      expect(steps).toThrow(name);
    }
    expect(service.requests).toHaveLength(sent);
  });

  it('let a batch key be as long as a key may be', async () => {
    const { client, service, run } = fake();
    service.addBankAccounts({
      provider: 'bank_b',
      accountLinkId: 'link',
      bankAccountCredentialId: 'a',
      maskedAccountNo: '1*1',
    });
    const work = async () => {
      const batchKey = 'b'.repeat(128);
      for await (const { ok } of client.jobs.allAccounts({ action: HISTORY, batchKey })) return ok;
      return false;
    };
    expect(await run(work())).toBe(true);
  });
});

describe('a derived client', () => {
  it('fetches the encryption key no second time', async () => {
    const { client, service } = fake();
    const secrets = { account_password: '1234' };
    await client.jobs.submit({ action: HISTORY, secrets });
    await client.with({ language: 'en' }).jobs.submit({ action: HISTORY, secrets });
    expect(service.requests.filter(({ path }) => path.includes('public-key'))).toHaveLength(1);
  });

  it('keeps the credentials of the environment when a token is added', async () => {
    vi.stubEnv('CHANGGU_CLIENT_ID', 'cli_env');
    vi.stubEnv('CHANGGU_CLIENT_SECRET', 'secret_env');
    const { service } = fake();
    const { fetch, clock, baseUrl } = service.clientOptions;
    const client = new Changgu({ fetch, clock, baseUrl }).with({ token: 'console-token' });
    await client.jobs.submit({ action: ACTION });
    await failureOf(client.request({ method: 'GET', path: '/v1/any', as: 'console' }));
    const sent = service.requests.map(({ headers }) => headers.get('authorization'));
    expect(sent).toEqual([`Basic ${btoa('cli_env:secret_env')}`, 'Bearer console-token']);
  });

  it('sends over the connections of its origin', async () => {
    const sockets = new Set<unknown>();
    const { url } = await scriptedServer((seen, response) => {
      sockets.add(response.socket);
      return json(200, { status: 'ok' })(seen, response);
    });
    const client = testClient(url, { connection: { connections: 1 } });
    await client.system.health();
    await client.with({ language: 'en' }).system.health();
    expect(sockets.size).toBe(1);
  });

  it('loses a credential that is set to undefined', async () => {
    const { client, service } = fake();
    const person = client.with({ token: 't', clientId: undefined, clientSecret: undefined });
    await person.jobs.submit({ action: ACTION });
    expect(service.requests[0]?.headers.get('authorization')).toBe('Bearer t');
  });
});

describe('a repeated submission', () => {
  const request = { action: HISTORY, secrets: { account_password: '1234' } } as const;

  it('with secrets sends the same bytes under the same key', async () => {
    const { client, service } = fake({ maxRetries: 0 });
    service.faults.add({ kind: 'drop', when: 'after', on: /^POST/ });
    const error = await failureOf(client.jobs.submit(request));
    const { idempotencyKey = '' } = error as { idempotencyKey?: string };
    const job = await client.jobs.submit({ ...request, idempotencyKey });
    expect(job.replayed).toBe(true);
    expect(service.jobs).toHaveLength(1);
  });

  it('with secrets sends the same bytes also when both are sent at once', async () => {
    const { client, service } = fake();
    const asked = Promise.withResolvers<null>();
    service.route(({ path }) => (path.includes('public-key') ? asked.promise : null));
    const twice = [1, 2].map(() => client.jobs.submit({ ...request, idempotencyKey: 'k' }));
    // Both have been digested by then.
    for (let n = 0; n < 4; n++) await crypto.subtle.digest('SHA-256', new Uint8Array(1_000));
    asked.resolve(null);
    const [first, second] = await Promise.all(twice);
    expect(second?.id).toBe(first?.id);
    expect(service.jobs).toHaveLength(1);
  });

  it('with secrets is prepared anew when that failed', async () => {
    const { client, service } = fake({ maxRetries: 0 });
    service.faults.add({ kind: 'refuse', on: /public-key/ });
    const submit = () => client.jobs.submit({ ...request, idempotencyKey: 'k' });
    await failureOf(submit());
    expect((await submit()).idempotencyKey).toBe('k');
  });

  it('with another secret is another request, which the service refuses', async () => {
    const { client } = fake();
    await client.jobs.submit({ ...request, idempotencyKey: 'k' });
    const other = { ...request, secrets: { account_password: '9' }, idempotencyKey: 'k' };
    expect(await failureOf(client.jobs.submit(other))).toMatchObject({
      name: 'IdempotencyConflictError',
    });
  });
});

describe('a link', () => {
  it('is sent with the purpose that it was given, and without one that it was not (D160)', async () => {
    const { client, service } = fake();
    const details = { provider: 'bank_b', secrets: { loginId: 'kim', loginPassword: 'pass' } };
    // The fake keeps no links: what matters is what is sent.
    await failureOf(client.credentials.link({ ...details, purpose: 'real' }));
    await failureOf(client.credentials.link({ ...details, purpose: 'test' }));
    await failureOf(client.credentials.link(details));
    const sent = service.requests.filter(({ path }) => path === '/v1/credentials/link');
    expect(sent.map(({ body }) => JSON.parse(body).purpose)).toEqual(['real', 'test', undefined]);
  });
});

describe('a plain value', () => {
  it('under encryptedFields is refused and never sent', async () => {
    const { client, service } = fake();
    const encryptedFields = { account_password: 'my-password-in-the-clear' };
    const error = await failureOf(client.jobs.submit({ action: HISTORY, encryptedFields }));
    expect(error).toMatchObject({ name: 'EncryptionError' });
    expect(String(error)).not.toContain('in-the-clear');
    const linked = { provider: 'bank_b', encryptedFields: { loginPassword: 'in-the-clear' } };
    expect(await failureOf(client.credentials.link(linked))).toMatchObject({
      name: 'EncryptionError',
    });
    expect(service.requests).toHaveLength(0);
  });

  it('beside secrets is refused and never sent', async () => {
    const { client, service } = fake();
    const details = { provider: 'bank_b', loginPassword: 'in-the-clear' };
    expect(String(await failureOf(client.credentials.link(details)))).toMatch(/under secrets/);
    expect(service.requests).toHaveLength(0);
  });
});

describe('resume', () => {
  it.each(['hello', '', '{"kind":"other"}', 'https://changgu.test/v1/jobs/job_1'])(
    'refuses %j at once',
    (token) => {
      const { client } = fake();
      expect(() => client.jobs.resume(token)).toThrow(/job token/);
    },
  );

  it('takes the text of a handle, what was parsed of it, and an id', async () => {
    const { client } = fake();
    const job = await client.jobs.submit({ action: ACTION });
    const text = JSON.stringify(job);
    const ids = [text, JSON.parse(text), job.id].map((token) => client.jobs.resume(token).id);
    expect(ids).toEqual([job.id, job.id, job.id]);
  });
});
