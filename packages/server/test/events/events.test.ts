import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, statusesOf } from '../support/outcomes.ts';
import { bearer, newMember, newPerson, type Person } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
let person: Person;
let key: { client_id: string; client_secret: string };

beforeAll(async () => {
  server = await startTestServer({ env: { RATE_LIMIT: '100000/60' } });
  person = await newPerson(server);
  key = await issueKey();
});
afterAll(() => server[Symbol.asyncDispose]());

async function issueKey() {
  const { body } = await person.call('POST', '/v1/app-credentials', { label: 'key' });
  return body;
}

const basic = ({ client_id, client_secret } = key) => ({
  authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
});

const events = (query = '', headers: Record<string, string> = basic()) =>
  server.call('GET', `/v1/events${query}`, { headers });

async function runJob(): Promise<string> {
  const headers = {
    ...basic(),
    'x-env-scope': 'sandbox',
    'idempotency-key': crypto.randomUUID(),
  };
  const { body } = await server.call('POST', '/v1/jobs', {
    headers,
    body: { provider: 'bank_a', action: 'bank_a.accounts.list' },
  });
  for (let status = body.status; ['QUEUED', 'RUNNING'].includes(status); ) {
    const job = await server.call('GET', `/v1/jobs/${body.job_id}`, {
      headers: { ...basic(), 'x-env-scope': 'sandbox', prefer: 'wait=5' },
    });
    status = job.body.status;
  }
  return body.job_id;
}

interface Frame {
  readonly id: string;
  readonly event?: string;
  readonly data?: { readonly type: string; readonly subject: Record<string, string> };
}

/** Reads a stream until `enough`, then leaves it. */
async function follow(
  query: string,
  enough: (frames: readonly Frame[]) => boolean,
  headers: Record<string, string> = {},
  opened: () => void = () => {},
): Promise<Frame[]> {
  const left = new AbortController();
  const answer = await fetch(new URL(`/v1/events${query}`, server.url), {
    headers: { ...basic(), accept: 'text/event-stream', ...headers },
    signal: left.signal,
  });
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  const frames: Frame[] = [];
  let text = '';
  for await (const piece of answer.body ?? []) {
    if (frames.length === 0) opened();
    text += Buffer.from(piece).toString('utf8');
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    frames.push(...parts.map(frameOf));
    if (enough(frames)) break;
  }
  left.abort();
  return frames;
}

function frameOf(text: string): Frame {
  const fields = Object.fromEntries(
    text
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
  );
  return {
    ...fields,
    id: fields.id ?? '',
    ...(fields.data ? { data: JSON.parse(fields.data) } : {}),
  };
}

const told = (frames: readonly Frame[]) => frames.flatMap(({ event }) => event ?? []);

describe('events as pages', () => {
  it('continue where the last page ended, newest last', async () => {
    const jobId = await runJob();
    const first = await events('?limit=2');
    expect(first.body.items.map(({ type }: { type: string }) => type)).toEqual([
      'job.queued',
      'job.started',
    ]);
    const rest = await events(`?after=${first.body.next_cursor}`);
    expect(rest.body).toMatchObject({
      items: [{ type: 'job.finished', subject: { job_id: jobId }, env_scope: 'sandbox' }],
      next_cursor: null,
    });
    const [{ event_id }] = first.body.items;
    const afterFirst = await events(`?after=${event_id}&type=job.started`);
    expect(afterFirst.body.items).toHaveLength(1);
  });

  it('are only those of the environments of the key', async () => {
    expect(await errorOf(events('?env_scope=production'))).toBe('403 POLICY_ENV_NOT_ALLOWED');
  });

  it('are only those of the actions and institutions of the key, and of nothing that it cannot place (D147)', async () => {
    const jobId = await runJob();
    const { store } = server.core;
    const { organizationId } = person;
    await store.audit.record({
      actor: { kind: 'system', id: 'test', traceId: null },
      organizationId,
      act: 'account_link.unlink',
      target: crypto.randomUUID(),
      details: { provider: 'bank_a', reason: 'user_request' },
    });
    const seenWith = async (allowed_actions: readonly string[] | null) => {
      const issued = await person.call('POST', '/v1/app-credentials', {
        label: 'limited',
        allowed_actions,
      });
      const { items } = (await events('?limit=100', basic(issued.body))).body;
      const seen: { type: string; subject: { job_id?: string } }[] = items;
      return {
        job: seen.some(({ subject }) => subject.job_id === jobId),
        link: seen.some(({ type }) => type === 'link.unlinked'),
      };
    };
    const all = { job: true, link: true };
    for (const patterns of [null, ['*'], ['bank_a.*'], ['bank_a.accounts.list']]) {
      expect(await seenWith(patterns), String(patterns)).toEqual(all);
    }
    expect(await seenWith(['bank_a.cards.*'])).toEqual({ job: false, link: true });
    expect(await seenWith(['bank_b.*'])).toEqual({ job: false, link: false });
  });

  it('tell of members, keys and invoices only to administrators', async () => {
    const ofKeys = (headers: Record<string, string>) => events('?type=key.issued', headers);
    expect((await ofKeys(bearer(person.token))).body.items).not.toEqual([]);
    expect((await ofKeys(basic())).body.items).toEqual([]);
    const member = await newMember(server, person, 'MEMBER');
    expect((await ofKeys(bearer(member.token))).body.items).toEqual([]);
  });

  it('are refused after an invalid cursor', async () => {
    for (const place of ['x', 'evt_', `evt_${'Z'.repeat(26)}`]) {
      expect((await events(`?after=${place}`)).status).toBe(400);
    }
  });
});

describe('events as a stream', () => {
  it('begins with what happens from now on', async () => {
    const started = Promise.withResolvers<void>();
    const frames = follow('', (all) => told(all).includes('job.finished'), {}, started.resolve);
    await started.promise;
    const jobId = await runJob();
    const seen = (await frames).flatMap(({ data }) => data ?? []);
    expect(seen.map(({ type }) => type)).toEqual(['job.queued', 'job.started', 'job.finished']);
    expect(new Set(seen.map(({ subject }) => subject.job_id))).toEqual(new Set([jobId]));
  });

  it('resumes after the last event that was received, and misses none', async () => {
    const from = (await events('?limit=1')).body.items[0].event_id;
    const jobId = await runJob();
    const query = `?job_id=${jobId}`;
    const [, queued] = await follow(query, (all) => told(all).length > 0, {
      'last-event-id': from,
    });
    const rest = await follow(query, (all) => told(all).includes('job.finished'), {
      'last-event-id': queued?.id ?? '',
    });
    expect(told(rest)).toEqual(['job.started', 'job.finished']);
  });

  it('is bounded per caller', async () => {
    const other = await issueKey();
    const headers = { ...basic(other), accept: 'text/event-stream' };
    const left = new AbortController();
    const open = () => fetch(new URL('/v1/events', server.url), { headers, signal: left.signal });
    const answers = await Promise.all(Array.from({ length: 21 }, open));
    const statuses = statusesOf(answers);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
    left.abort();
  });

  it('ends when the server drains', async () => {
    const draining = await startTestServer();
    const answer = await fetch(new URL('/v1/events', draining.url), {
      headers: {
        authorization: draining.headers().authorization ?? '',
        accept: 'text/event-stream',
      },
    });
    const ended = answer.text();
    await draining[Symbol.asyncDispose]();
    expect(await ended).toMatch(/^id: evt_/);
  });
});
