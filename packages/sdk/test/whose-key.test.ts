/** An organization's values are encrypted with its own key, and within the limits of the call that they belong to. */
import type { Changgu, ClientOptions, EncryptionKey } from '@changgu/sdk';
import { describe, expect, it } from 'vitest';
import { countedSignal, failureOf, fake, HISTORY } from './support/fake.ts';

const request = { action: HISTORY, secrets: { account_password: '1234' } } as const;
const link = { provider: 'bank_b', secrets: { loginId: 'kim', loginPassword: 'pass' } };
const account = { accountNo: '1234567890123', accountPassword: '1234' };

/** A service with a key for each caller, named as the caller, and the names of the keys that were used. */
function keyedByCaller(options: ClientOptions = {}) {
  const used: string[] = [];
  const encryptor = {
    encryptPieces: ({ kid }: EncryptionKey, pieces: readonly Uint8Array[]) => {
      used.push(kid);
      return pieces.map(() => new Uint8Array(512));
    },
  };
  const made = fake({ encryptor, ...options });
  made.service.route(({ path, headers }) => {
    if (path !== '/v1/crypto/public-key') return null;
    const organization = headers.get('x-organization-id') ?? '';
    const kid = `${nameIn(headers.get('authorization') ?? '')}${organization}`;
    const key = { kid, kty: 'RSA', alg: 'RSA-OAEP-256', use: 'enc', e: 'AQAB', n: 'x'.repeat(683) };
    return { status: 200, body: { keys: [key] }, headers: { 'cache-control': 'max-age=300' } };
  });
  const asked = () => made.service.requests.filter(({ path }) => path.includes('public-key'));
  return { ...made, used, asked };
}

function nameIn(authorization: string): string {
  const [scheme, value = ''] = authorization.split(' ');
  return scheme === 'Basic' ? atob(value).replace(/:.*/, '') : value;
}

describe('the key', () => {
  it('is that of the organization whose credentials a derived client has (D159)', async () => {
    const { client, used, asked } = keyedByCaller();
    const submitAs = (options: ClientOptions) => client.with(options).jobs.submit(request);
    await submitAs({ clientId: 'cli_a' });
    await submitAs({ clientId: 'cli_b' });
    await submitAs({ clientId: 'cli_a' });
    expect(used).toEqual(['cli_a', 'cli_b', 'cli_a']);
    expect(asked()).toHaveLength(2);
  });

  it('is that of the organization that an operator acts for (D159)', async () => {
    const { client, used } = keyedByCaller({ clientId: '', clientSecret: '', token: 'operator' });
    await client.with({ organizationId: 1 }).jobs.submit(request);
    await client.with({ organizationId: 2 }).jobs.submit(request);
    expect(used).toEqual(['operator1', 'operator2']);
  });

  it('is that of whoever sends the value: the client for jobs, the person for links (D159)', async () => {
    const { client, used } = keyedByCaller({ token: 'person' });
    await client.jobs.submit(request);
    // The fake keeps no links and no accounts: what matters is what is sent.
    await failureOf(client.credentials.link(link));
    await failureOf(client.credentials.bankAccounts.link('link', account));
    await failureOf(client.credentials.bankAccounts.updatePassword('link', 'account', '1234'));
    expect([...new Set(used.slice(1))]).toEqual(['person']);
    expect(used).toHaveLength(6);
    expect(used[0]).toBe('cli_fake');
  });

  it('is fetched once for jobs and links that one key sends', async () => {
    const { client, asked } = keyedByCaller();
    await client.jobs.submit(request);
    await failureOf(client.credentials.bankAccounts.link('link', account));
    expect(asked()).toHaveLength(1);
  });

  it('is fetched again only for those who were not heard of for a hundred others', async () => {
    const { client, asked } = keyedByCaller();
    await client.jobs.submit(request);
    for (let n = 0; n < 100; n++)
      await client.with({ token: `t${n}`, clientId: '', clientSecret: '' }).jobs.submit(request);
    expect(asked()).toHaveLength(101);
    await client.jobs.submit(request);
    expect(asked()).toHaveLength(102);
  });
});

describe('the request for the key', () => {
  /** A service that never answers it. */
  function withoutKey(options: ClientOptions = {}) {
    const made = keyedByCaller(options);
    const silence = { kind: 'silence', when: 'before', on: /public-key/ } as const;
    made.service.faults.add(...Array.from({ length: 9 }, () => silence));
    const took = async (work: Promise<unknown>) => {
      const start = made.clock.now();
      const error = await made.run(failureOf(work));
      return { error, ms: made.clock.now() - start };
    };
    return { ...made, took };
  }
  const limited = { totalTimeoutMs: 5000 };

  it.each<[string, (client: Changgu) => Promise<unknown>]>([
    ['a run', ({ jobs }) => jobs.run(request, { timeoutMs: 5000 })],
    ['a submission', ({ jobs }) => jobs.submit(request, limited)],
    ['a validation', ({ jobs }) => jobs.validate(request, limited)],
    ['a preparation', ({ jobs }) => jobs.prepare(request, limited)],
    ['a link', ({ credentials }) => credentials.link(link, limited)],
    [
      'a bank account',
      ({ credentials }) => credentials.bankAccounts.link('link', account, limited),
    ],
    [
      'a password',
      ({ credentials }) => credentials.bankAccounts.updatePassword('link', 'a', '1234', limited),
    ],
  ])('takes no longer than %s may', async (_, call) => {
    const { client, took, clock } = withoutKey();
    const { error, ms } = await took(call(client));
    expect(error).toMatchObject({ name: 'TimeoutError', operation: 'readEncryptionKeys' });
    expect(ms).toBe(5000);
    expect(clock.pendingTimers).toBe(0);
  });

  it.each<[string, (client: Changgu, signal: AbortSignal) => Promise<unknown>]>([
    ['a preparation', ({ jobs }, signal) => jobs.prepare(request, { signal })],
    ['a link', ({ credentials }, signal) => credentials.link(link, { signal })],
    [
      'a bank account',
      ({ credentials }, signal) => credentials.bankAccounts.link('link', account, { signal }),
    ],
  ])('ends at once where %s is aborted', async (_, call) => {
    const { client, clock } = withoutKey();
    const { controller, signal, listeners } = countedSignal();
    const work = failureOf(call(client, signal));
    await clock.advance(0);
    controller.abort();
    expect(await work).toMatchObject({ name: 'AbortError', operation: 'readEncryptionKeys' });
    expect(listeners()).toBe(0);
    expect(clock.pendingTimers).toBe(0);
  });

  it('leaves to the call what is left of its time', async () => {
    const { client, service, clock, run } = keyedByCaller();
    const start = clock.now();
    service.faults.add(
      { kind: 'refusal', code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 3, on: /public-key/ },
      { kind: 'silence', when: 'before', on: /bank-accounts/ },
    );
    const work = client.credentials.bankAccounts.link('link', account, limited);
    expect(await run(failureOf(work))).toMatchObject({ operation: 'linkBankAccount' });
    expect(clock.now() - start).toBe(5000);
  });

  it('continues for one who waits when another leaves', async () => {
    const { client, service, run } = fake();
    const answered = Promise.withResolvers<null>();
    service.route(({ path }) => (path.includes('public-key') ? answered.promise : null));
    const { controller, signal } = countedSignal();
    const leaving = failureOf(client.jobs.prepare(request, { signal }));
    const staying = client.jobs.prepare(request);
    await service.clock.advance(0);
    controller.abort();
    expect(await leaving).toMatchObject({ name: 'AbortError' });
    answered.resolve(null);
    expect(await run(staying)).toMatchObject({ kind: 'submission' });
    expect(service.requests).toHaveLength(1);
  });
});
