/** Types are proved by the compiler: `tsc` over this file is the test, and `@ts-expect-error` fails where none comes. */
import type { Camel, WireTypes } from '@changgu/contract';
import type {
  AnyChangguError,
  Camelized,
  Changgu,
  ClientOptions,
  JobHandle,
  JobResult,
  ServiceEvent,
  SubmitRequest,
} from '@changgu/sdk';
import type { FakeService } from '@changgu/sdk/testing';
import { verifyWebhook, type WebhookEvent } from '@changgu/sdk/webhooks';
import { describe, expectTypeOf, it } from 'vitest';

declare global {
  interface ChangguActions {
    'my_bank.loans.list': {
      params: { branch: string };
      result: { loans: { id: string }[] };
      encryptedFields: 'pin';
    };
    'my_bank.loans.search': {
      params: { by: 'name'; name: string } | { by: 'id'; id: number };
      result: { loans: { id: string }[] };
    };
  }
}

type History = 'bank_b.accounts.transaction_history.search';

/** Never called: only its types count. */
async function calls(client: Changgu, action: string) {
  const handle = await client.jobs.submit({
    action: 'bank_b.accounts.transaction_history.search',
    params: { from_date: '20261101', direction: 'in' },
    secrets: { account_password: '1234' },
  });
  expectTypeOf(handle).toEqualTypeOf<JobHandle<History>>();
  const result = await handle.result();
  if (result.sandbox) {
    expectTypeOf(result.data.mock).toEqualTypeOf<true>();
    expectTypeOf(result.data.params_echo.from_date).toEqualTypeOf<string | undefined>();
  } else {
    expectTypeOf(result.data?.items[0]?.balance_after).toEqualTypeOf<number | undefined>();
  }

  await client.jobs.submit({
    action: 'bank_b.accounts.transaction_history.search',
    // @ts-expect-error a param of that name does not exist
    params: { from_dat: '20261101' },
  });
  await client.jobs.submit({
    action: 'bank_b.accounts.transaction_history.search',
    // @ts-expect-error a direction of that name does not exist
    params: { direction: 'sideways' },
  });
  // @ts-expect-error params that are required are missing
  await client.jobs.submit({ action: 'si_edi.b1.resources.faqs.detail' });
  // @ts-expect-error the action takes nothing encrypted
  await client.jobs.submit({ action: 'bank_b.accounts.list', secrets: { account_password: '1' } });
  client.jobs.allAccounts({
    action: 'bank_b.accounts.transaction_history.search',
    // @ts-expect-error all-accounts chooses the accounts itself
    params: { bank_account_credential_id: 'x' },
  });

  await client.jobs.submit({
    // @ts-expect-error a typo; the compiler names the id that was meant
    action: 'bank_b.accounts.lst',
  });
  // @ts-expect-error this action selects no account
  client.jobs.allAccounts({ action: 'bank_b.accounts.list' });
  client.jobs.allAccounts({ action });
  await client.jobs.submit({ action: 'not_declared.loans.list', params: { anything: 1 } });
  const prepared = await client.jobs.prepare({ action: 'bank_b.accounts.list' });
  expectTypeOf(await client.jobs.submit(prepared)).toEqualTypeOf<
    JobHandle<'bank_b.accounts.list'>
  >();

  const own = await client.jobs.run({
    action: 'my_bank.loans.list',
    params: { branch: '001' },
    secrets: { pin: '1' },
  });
  if (!own.sandbox) expectTypeOf(own.data?.loans).toEqualTypeOf<{ id: string }[] | undefined>();
  // @ts-expect-error the own action wants its branch
  await client.jobs.run({ action: 'my_bank.loans.list', params: {} });

  const any = await client.jobs.run({ action, params: { whatever: 1 }, secrets: { x: '1' } });
  expectTypeOf(any).toEqualTypeOf<JobResult<string>>();
}

/** Never called: only its types count. */
function narrowing(error: AnyChangguError): string | number | null {
  switch (error.name) {
    case 'JobFailedError':
      return error.failure?.code ?? null;
    case 'WaitTimeoutError':
      return error.resumeToken.jobId;
    case 'ValidationError':
      return error.fields.length;
    case 'AllAccountsInterruptedError':
      return error.interruption.code;
    case 'ConflictError':
      return error.status;
  }
  if (error.code === 'POLICY_QUOTA_EXCEEDED') return error.retryAfterMs;
  if (error.code === 'CONNECTION_FAILED') return error.systemCode;
  if (error.code === 'RATE_LIMITED') return error.status;
  // @ts-expect-error not every error has a status
  return error.status;
}

type Answers<Types> = {
  [Name in keyof Types as Name extends `${string}Request` ? never : Name]: Types[Name];
};

/** Never called: answers are assignable both ways; what is sent may also be undefined, which JSON leaves out. */
function generatedTypes(mapped: Camelized<WireTypes>): Answers<Camelized<WireTypes>> {
  const generated: Camel.CamelTypes = mapped;
  return generated;
}

/** Never called: only its types count. */
async function valuesThatMayBeMissing(client: Changgu, maybe: string | undefined) {
  await client.jobs.list({ action: maybe });
  client.events.stream({ after: maybe });
  // @ts-expect-error a stream does not end by itself
  client.events.stream({}, { totalTimeoutMs: 60_000 });
  await client.webhooks.update('whk_1', { description: maybe });
  const history = { action: 'bank_b.accounts.transaction_history.search' } as const;
  await client.jobs.submit({ ...history, params: { from_date: maybe } });
  client.jobs.allAccounts({ ...history, params: { from_date: maybe } });
  const answer = 'si_edi.b1.resources.faqs.detail';
  // @ts-expect-error a param that is required may not be missing
  await client.jobs.submit({ action: answer, params: { qstn_sn: maybe } });
  const search = 'my_bank.loans.search';
  await client.jobs.submit({ action: search, params: { by: 'name', name: 'x' } });
  // @ts-expect-error params that depend on each other are checked together
  await client.jobs.submit({ action: search, params: { by: 'name' } });
  await verifyWebhook('', new Headers(), maybe, { toleranceSeconds: undefined });
  expectTypeOf({ connection: { proxy: maybe } }).toExtend<ClientOptions>();
}

/** Never called: only its types count. */
function dataOfEvents(event: ServiceEvent): string | number {
  switch (event.type) {
    case 'job.finished':
      expectTypeOf(event.subject.jobId).toEqualTypeOf<string>();
      return event.data.error_code ?? event.data.status;
    case 'job.progressed':
      return event.data.progress;
    case 'quota.low':
      return event.data.limit - event.data.used;
    case 'member.joined':
      expectTypeOf(event.data.role).toEqualTypeOf<'MEMBER' | 'ADMIN' | 'OWNER'>();
      // @ts-expect-error another type of event has progress
      return event.data.progress;
    case 'key.revoked':
      return event.subject.clientId ?? '';
    default:
      // @ts-expect-error not before the type is known
      return event.data.status;
  }
}

/** Never called: only its types count. */
async function refusedByTheCompiler(client: Changgu, job: JobHandle) {
  client.jobs.resume(job.toJSON());
  // @ts-expect-error not a token
  client.jobs.resume({ id: 'job_1' });
  // @ts-expect-error a plain password beside secrets
  await client.credentials.link({ provider: 'bank_b', loginPassword: 'plain' });
  await client.credentials.link({ provider: 'bank_b', secrets: { loginPassword: 'plain' } });
}

/** Never called: only its types count. */
function ofTheFake(service: FakeService) {
  service.willEnd('bank_b.accounts.list', { state: 'SUCCEEDED' });
  // @ts-expect-error a typo
  service.willEnd('bank_b.accounts.lst', { state: 'SUCCEEDED' });
  // @ts-expect-error a state that no job ends in
  service.willEnd('bank_b.accounts.list', { state: 'DONE' });
  // @ts-expect-error a result of another action
  service.willEnd('bank_b.accounts.list', { state: 'SUCCEEDED', data: { cards: [] } });
}

describe('types', () => {
  it('narrow errors by name and by code', () => {
    expectTypeOf(narrowing).returns.toEqualTypeOf<string | number | null>();
    expectTypeOf(refusedByTheCompiler).returns.resolves.toBeVoid();
    expectTypeOf(valuesThatMayBeMissing).returns.resolves.toBeVoid();
    expectTypeOf(ofTheFake).returns.toBeVoid();
  });

  it('follow the action', () => {
    expectTypeOf(calls).returns.resolves.toBeVoid();
    expectTypeOf<SubmitRequest<History>['params']>().toEqualTypeOf<
      | {
          bank_account_credential_id?: string | undefined;
          from_date?: string | undefined;
          to_date?: string | undefined;
          direction?: 'all' | 'in' | 'out' | undefined;
          order?: 'desc' | 'asc' | undefined;
        }
      | undefined
    >();
  });

  it('say what an event holds once its type is known', () => {
    expectTypeOf(dataOfEvents).parameter(0).toEqualTypeOf<WebhookEvent>();
    expectTypeOf(verifyWebhook).returns.resolves.toEqualTypeOf<ServiceEvent>();
    type Streamed = ReturnType<Changgu['events']['stream']>;
    expectTypeOf<Streamed>().toEqualTypeOf<AsyncGenerator<ServiceEvent, void, void>>();
  });

  it('turn the envelope to camelCase', () => {
    expectTypeOf(generatedTypes).returns.toEqualTypeOf<Answers<Camelized<WireTypes>>>();
    type Me = Awaited<ReturnType<Changgu['membership']['me']>>;
    expectTypeOf<Me['rateLimitAfter']['windowSeconds']>().toEqualTypeOf<number>();
    type Links = Awaited<ReturnType<Changgu['credentials']['list']>>;
    expectTypeOf<Links['items'][number]['selectedAssets']>().toEqualTypeOf<{
      [k: string]: unknown;
    } | null>();
  });

  it('let options be undefined, as they come from configuration', () => {
    expectTypeOf<{ baseUrl: string | undefined }>().toExtend<ClientOptions>();
  });
});
