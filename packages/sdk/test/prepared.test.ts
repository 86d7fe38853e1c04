import { TokenError } from '@changgu/sdk';
import { describe, expect, it } from 'vitest';
import { ACTION, failureOf, fake, HISTORY } from './support/fake.ts';

describe('prepared submissions', () => {
  it('survive a crash between preparing and sending, and make one job however often they are sent', async () => {
    const { client, service, run } = fake();
    const secrets = { account_password: '4321' };
    const stored = JSON.stringify(
      await run(client.jobs.prepare({ action: HISTORY, params: {}, secrets })),
    );
    expect(stored).not.toMatch(/\b4321\b/);
    const other = client.with({});
    const first = await other.jobs.submit(JSON.parse(stored));
    const second = await client.jobs.submit(JSON.parse(stored));
    expect(second.id).toBe(first.id);
    expect(second.replayed).toBe(true);
    expect(service.jobs).toHaveLength(1);
    const { encryptedFields } = service.jobs[0] ?? {};
    const plain = await service.decrypt(encryptedFields?.account_password ?? '');
    expect(new TextDecoder().decode(plain)).toBe('4321');
  });

  it('encrypt once per logical call: a lost answer does not become another request (R11)', async () => {
    const { client, service, run } = fake();
    service.faults.add({ kind: 'drop', when: 'after', on: /POST/ });
    const submitting = client.jobs.submit({ action: HISTORY, secrets: { account_password: '1' } });
    expect(await run(submitting)).toMatchObject({ replayed: true });
    const bodies = service.requests
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => body);
    expect(bodies).toHaveLength(2);
    expect(bodies[0]).toBe(bodies[1]);
  });

  it('are refused by a client of another service or environment', async () => {
    const { client } = fake();
    const prepared = await client.jobs.prepare({ action: ACTION });
    const elsewhere = fake({}, { baseUrl: 'https://other.test' }).client;
    expect(await failureOf(elsewhere.jobs.submit(prepared))).toBeInstanceOf(TokenError);
    const production = client.with({ envScope: 'production' });
    expect(await failureOf(production.jobs.submit(prepared))).toBeInstanceOf(TokenError);
  });

  it('refuse a value that is given both plain and encrypted', async () => {
    const { client } = fake();
    const request = {
      action: HISTORY,
      secrets: { account_password: '1' },
      encryptedFields: { account_password: 'QUJDREVGR0hJSktMTU5PUA==' },
    } as const;
    expect(await failureOf(client.jobs.prepare(request))).toMatchObject({
      code: 'ENCRYPTION_FAILED',
    });
  });

  it.each(['', ' k', 'é', 'x'.repeat(129)])(
    'refuse the key %j before anything is sent (D27)',
    async (key) => {
      const { client, service } = fake();
      const error = await failureOf(client.jobs.submit({ action: ACTION, idempotencyKey: key }));
      expect(error).toMatchObject({ code: 'CONFIGURATION_INVALID' });
      expect(service.requests).toHaveLength(0);
    },
  );
});

describe('resumed handles', () => {
  it('continue in another process', async () => {
    const { client, service, run } = fake();
    service.willEnd(ACTION, { state: 'SUCCEEDED', queuedMs: 60_000 });
    const stored = JSON.stringify(await client.jobs.submit({ action: ACTION }));
    const resumed = client.with({}).jobs.resume(JSON.parse(stored));
    expect(await run(resumed.result())).toMatchObject({ schema: `${ACTION}.v1` });
  });

  it('hold no result, no URL and no secret', async () => {
    const { client, run } = fake();
    const handle = await client.jobs.submit({ action: ACTION });
    await run(handle.result());
    expect(handle.toJSON()).toEqual({
      v: 1,
      kind: 'job',
      origin: 'https://changgu.test',
      envScope: 'sandbox',
      jobId: handle.id,
      action: ACTION,
      idempotencyKey: handle.idempotencyKey,
      submittedAt: handle.submittedAt,
      lastStatus: 'SUCCEEDED',
    });
  });

  it('can be made from an id alone', async () => {
    const { client, run } = fake();
    const { id } = await client.jobs.submit({ action: ACTION });
    expect(await run(client.jobs.resume(id).wait())).toMatchObject({ jobId: id });
  });
});
