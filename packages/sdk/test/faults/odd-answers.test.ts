/** Answers that are JSON but not what they should be: of a broken service, or of something in between. */
import { type Changgu, isChangguError } from '@changgu/sdk';
import { describe, expect, it } from 'vitest';
import { testClient } from '../support/client.ts';
import { failureOf, HISTORY } from '../support/fake.ts';
import {
  type Answer,
  accepted,
  JOB_ID,
  jobBody,
  json,
  resultBody,
  scriptedServer,
} from '../support/scripted-server.ts';

const LINK = 'c0f3a1d2-5a6e-4c8b-9b1d-3f2e1a0b9c8d';
const line = {
  bank_account_credential_id: LINK,
  account_link_id: LINK,
  masked_account_no: '1***',
  job_id: JOB_ID,
  status: 'QUEUED',
  reason: null,
};
const round = { accounts: [line], account_count: 1, submitted_count: 1, next: null };
const next = { bank_account_credential_ids: [LINK], retry_after_seconds: 1 };
const { result } = resultBody;
const withResult = (more: object) => ({ ...resultBody, result: { ...result, ...more } });

const NOTHING_AT_ALL: readonly unknown[] = [null, [], 'text', 7, true];
/** A list in a list in a list, deeper than any stack. */
const DEEP = `{"items":${'['.repeat(50_000)}${']'.repeat(50_000)},"next_cursor":null}`;
const raw =
  (text: string): Answer =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(text);
  };

/** The error of a call that is answered so. It is not repeated, because it would be answered so again. */
async function errorOf(answer: Answer, call: (client: Changgu) => Promise<unknown>) {
  const { url } = await scriptedServer(answer);
  return failureOf(call(testClient(url, { token: 'console-token', maxRetries: 0 })));
}

async function expectInvalid(body: unknown, call: (client: Changgu) => Promise<unknown>) {
  const error = await errorOf(json(200, body), call);
  expect(error, JSON.stringify(body)).toMatchObject({
    name: 'InvalidResponseError',
    // A complete answer of another shape would come again.
    retryable: false,
    attempts: 1,
    traceId: expect.stringMatching(/^trc_/),
  });
  expect(isChangguError(error)).toBe(true);
  return error;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('a page', () => {
  const calls = [
    (client: Changgu) => client.jobs.list(),
    (client: Changgu) => all(client.jobs.each()),
    (client: Changgu) => client.webhooks.list(),
    (client: Changgu) => all(client.events.each()),
    (client: Changgu) => all(client.billing.eachInvoice()),
  ];

  it('without a list of objects is an InvalidResponseError with the facts of its call', async () => {
    const pages = [{}, null, {}.toString, 'items', [1], [null], [[]]].map((items) => ({
      items,
      next_cursor: null,
    }));
    for (const body of [...NOTHING_AT_ALL, ...pages]) {
      for (const call of calls) await expectInvalid(body, call);
    }
  });

  it.each([[7], [{}], [true], [['c']]])('whose next cursor is %j is one too', async (cursor) => {
    const body = { items: [], next_cursor: cursor };
    await expectInvalid(body, (client) => all(client.jobs.each()));
    await expectInvalid(body, (client) => client.jobs.list());
  });

  it('without a next cursor gives none of its items twice', async () => {
    const { url } = await scriptedServer(json(200, { items: [jobBody('SUCCEEDED')] }));
    const found: string[] = [];
    const walk = async () => {
      for await (const { jobId } of testClient(url).jobs.each()) found.push(jobId);
    };
    expect(await failureOf(walk())).toMatchObject({ name: 'InvalidResponseError' });
    expect(found).toEqual([]);
  });

  it('after a hundred empty ones in a row is an InvalidResponseError that says so', async () => {
    let pages = 0;
    const { url } = await scriptedServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ items: [], next_cursor: `c${++pages}` }));
    });
    expect(await failureOf(all(testClient(url).jobs.each()))).toMatchObject({
      name: 'InvalidResponseError',
      message: expect.stringContaining('100 pages in a row are empty'),
      retryable: false,
    });
    expect(pages).toBe(100);
  });

  it('may be empty ninety-nine times in a row, and again after an item', async () => {
    let pages = 0;
    const { url } = await scriptedServer((_, response) => {
      pages += 1;
      const items = pages % 100 === 0 ? [jobBody('SUCCEEDED')] : [];
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ items, next_cursor: pages === 200 ? null : `c${pages}` }));
    });
    expect(await all(testClient(url).jobs.each())).toHaveLength(2);
  });

  it('that is nested deeper than any stack is one too', async () => {
    const error = await errorOf(raw(DEEP), (client) => client.jobs.list());
    expect(error).toMatchObject({ name: 'InvalidResponseError' });
  });
});

describe('an object', () => {
  it('that is none is an InvalidResponseError, whatever was called', async () => {
    const calls = [
      (client: Changgu) => client.webhooks.get('whk_1'),
      (client: Changgu) => client.membership.me(),
      (client: Changgu) => client.account.session(),
      (client: Changgu) => client.account.login({ email: 'a@example.com', password: 'p' }),
      (client: Changgu) => client.receipts.keys(),
      (client: Changgu) => client.system.health(),
      (client: Changgu) => client.taxPortal.run('taxPortalLogin', {} as never),
      (client: Changgu) => client.jobs.validate({ action: 'bank_b.accounts.list' }),
      (client: Changgu) => client.ownInstitutions(),
    ];
    for (const body of NOTHING_AT_ALL) for (const call of calls) await expectInvalid(body, call);
  });
});

describe('a job', () => {
  const submit = (client: Changgu) =>
    client.jobs.submit({ action: 'bank_b.accounts.list', idempotencyKey: 'k' });
  const reads = [
    (client: Changgu) => client.jobs.get(JOB_ID),
    (client: Changgu) => client.jobs.cancel(JOB_ID),
    (client: Changgu) => client.jobs.resume(JOB_ID).poll(),
  ];

  it('without id or state is an InvalidResponseError that carries the key', async () => {
    for (const job of [{}, { job_id: 7 }, { job_id: null }, { job_id: JOB_ID, status: 7 }]) {
      const error = await expectInvalid({ ...accepted, job_id: undefined, ...job }, submit);
      expect(error).toMatchObject({ idempotencyKey: 'k', operation: 'submitJob' });
      for (const read of reads) {
        expect(await expectInvalid(job, read)).toMatchObject({ jobId: JOB_ID });
      }
    }
    for (const body of NOTHING_AT_ALL) {
      expect(await expectInvalid(body, submit)).toMatchObject({ idempotencyKey: 'k' });
    }
  });

  it('of another shape ends the wait for it at once', async () => {
    const error = await expectInvalid({ jobs: [] }, (client) => client.jobs.resume(JOB_ID).wait());
    expect(error).toMatchObject({ jobId: JOB_ID, nextStep: { kind: 'wait_and_retry' } });
  });

  it.each([['gone'], [7], [[]], [{}], [{ code: 7 }]])(
    'with the failure %j is one too',
    async (error) => {
      for (const read of reads) await expectInvalid(jobBody('FAILED', { error }), read);
    },
  );
});

describe('a result', () => {
  it.each([
    ['none', { ...resultBody, result: undefined }],
    ['null', { ...resultBody, result: null }],
    ['text', { ...resultBody, result: 'done' }],
    ['a list', { ...resultBody, result: [] }],
    ['data that is text', withResult({ data: 'rows' })],
    ['data that is a list', withResult({ data: [] })],
    ['files that are no list', withResult({ artifacts: {} })],
    ['a file that is null', withResult({ artifacts: [null] })],
    ['a file that is text', withResult({ artifacts: ['a.pdf'] })],
    ['no schema', withResult({ schema: undefined })],
    ['no job', { ...resultBody, job_id: undefined }],
  ])('with %s is an InvalidResponseError that names the job', async (_what, body) => {
    const error = await expectInvalid(body, (client) => client.jobs.result(JOB_ID));
    expect(error).toMatchObject({ jobId: JOB_ID, operation: 'readJobResult' });
  });
});

describe('an all-accounts round', () => {
  it.each([
    ['nothing at all', null],
    ['no accounts', { ...round, accounts: undefined }],
    ['accounts that are no list', { ...round, accounts: {} }],
    ['an account that is null', { ...round, accounts: [null] }],
    ['an account without id', { ...round, accounts: [{ ...line, account_link_id: undefined }] }],
    ['an account whose job is a number', { ...round, accounts: [{ ...line, job_id: 7 }] }],
    ['an account without a state', { ...round, accounts: [{ ...line, status: null }] }],
    ['a rest that is text', { ...round, next: 'more' }],
    ['a rest without accounts', { ...round, next: { retry_after_seconds: 1 } }],
    ['a rest without a time', { ...round, next: { ...next, retry_after_seconds: '1' } }],
    ['a rest of numbers', { ...round, next: { ...next, bank_account_credential_ids: [1] } }],
    ['an interruption that is text', { ...round, next, interruption: 'no' }],
    ['an interruption without a code', { ...round, next, interruption: { message: 'no' } }],
  ])('with %s is an InvalidResponseError that says where to resume', async (_what, body) => {
    const call = { action: HISTORY, batchKey: 'batch' } as const;
    const facts = { idempotencyKey: 'batch', checkpoint: { batchKey: 'batch', round: 1 } };
    const ways = [
      (client: Changgu) => all(client.jobs.allAccounts(call)),
      (client: Changgu) => all(client.jobs.allAccountsRounds(call)),
    ];
    for (const way of ways) expect(await expectInvalid(body, way)).toMatchObject(facts);
  });
});

describe('the keys of the service', () => {
  const key = { kid: 'a', kty: 'RSA', alg: 'RSA-OAEP-256', use: 'enc', e: 'AQAB' };
  const submit = (client: Changgu) =>
    client.jobs.submit({
      action: HISTORY,
      secrets: { account_password: '1234' },
      idempotencyKey: 'k',
    });

  it('that are no list are an InvalidResponseError that carries the key', async () => {
    for (const body of [{}, { keys: {} }, { keys: null }, null, []]) {
      expect(await expectInvalid(body, submit)).toMatchObject({ idempotencyKey: 'k' });
    }
  });

  it('of which none is an RSA key of 4096 bits are an EncryptionError', async () => {
    const moduli = [undefined, null, 7, '', 'A', 'AAAAA', {}, `A${'A'.repeat(682)}`];
    for (const only of [null, 'key', 7, [], ...moduli.map((n) => ({ ...key, n }))]) {
      const answer = json(200, { keys: [only] });
      const facts = { name: 'EncryptionError', idempotencyKey: 'k' };
      expect(await errorOf(answer, submit)).toMatchObject(facts);
    }
  });
});

describe('an event of a stream', () => {
  it.each(['null', '7', '[]', '{}', '{"event_id":"evt_1","type":"job.started"}'])(
    '%s ends its connection with an InvalidResponseError',
    async (data) => {
      const { url } = await scriptedServer((_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`id: evt_1\ndata: ${data}\n\n`);
      });
      const stop = new AbortController();
      const errors: unknown[] = [];
      const onInterruption = ({ error }: { error: unknown }) => {
        errors.push(error);
        stop.abort();
      };
      const { signal } = stop;
      const work = all(testClient(url).events.stream({}, { onInterruption, signal }));
      expect(await failureOf(work)).toMatchObject({ name: 'AbortError' });
      expect(errors).toMatchObject([{ name: 'InvalidResponseError' }]);
    },
  );
});
