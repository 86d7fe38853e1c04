import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createPostgresDatabase,
  type TestDatabase,
} from '../../src/store/testing/describe-stores.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

const JOBS = 20;

interface Told {
  readonly id: string;
  readonly type: string;
  readonly jobId: string;
}

describe.each(['sqlite', 'postgres'])('a reader (%s)', (dialect) => {
  let dataDir: string;
  let database: TestDatabase | undefined;
  let servers: readonly [TestServer, TestServer];
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'changgu-test-'));
    database = dialect === 'postgres' ? await createPostgresDatabase() : undefined;
    const env = database === undefined ? {} : { DATABASE_URL: database.url };
    // One database and two servers, each with connections and signals of its own.
    servers = [await startTestServer({ dataDir, env }), await startTestServer({ dataDir, env })];
  });
  afterAll(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
    await database?.remove();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('sees every event once, and those of a job in order, while it moves between two servers', async () => {
    const [home] = servers;
    const { authorization = '' } = home.headers();
    const { body } = await home.call('GET', '/v1/events?limit=100');
    const told: Told[] = [];
    const working = submitAll(home, authorization);
    let place: string = body.items.at(-1)?.event_id ?? `evt_${'0'.repeat(26)}`;
    for (let move = 0; finishedIn(told) < JOBS; move += 1) {
      const server = servers[move % 2];
      if (server === undefined) break;
      for (const event of await someOf(server, authorization, place)) {
        told.push(event);
        place = event.id;
      }
    }
    const jobs = await working;
    expect(new Set(told.map(({ id }) => id)).size).toBe(told.length);
    for (const jobId of jobs) {
      const types = told.filter((event) => event.jobId === jobId).map(({ type }) => type);
      expect(types.filter((type) => type !== 'job.progressed')).toEqual([
        'job.queued',
        'job.started',
        'job.finished',
      ]);
    }
  });
});

async function submitAll(server: TestServer, authorization: string): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < JOBS; n += 1) {
    const { body } = await server.call('POST', '/v1/jobs', {
      key: `moving-${n}`,
      headers: { authorization },
      body: { provider: 'bank_a', action: 'bank_a.accounts.list' },
    });
    ids.push(body.job_id);
  }
  return ids;
}

/** The next events from one server; then the connection is left. */
async function someOf(server: TestServer, authorization: string, place: string): Promise<Told[]> {
  const left = new AbortController();
  const answer = await fetch(new URL('/v1/events', server.url), {
    headers: { authorization, accept: 'text/event-stream', 'last-event-id': place },
    signal: left.signal,
  });
  const told: Told[] = [];
  let text = '';
  for await (const piece of answer.body ?? []) {
    text += Buffer.from(piece).toString('utf8');
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const data = /^data: (.*)$/m.exec(part)?.[1];
      if (data === undefined) continue;
      const event = JSON.parse(data);
      told.push({ id: event.event_id, type: event.type, jobId: event.subject.job_id });
    }
    if (told.length > 0) break;
  }
  left.abort();
  return told;
}

const finishedIn = (told: readonly Told[]) =>
  told.filter(({ type }) => type === 'job.finished').length;
