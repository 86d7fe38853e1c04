import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import type { MeasuredServer } from './server-process.ts';

export const CONNECTIONS = 32;

export interface LoadResult {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly loopP99Ms: number;
  /** Processor time of the server for one request, in microseconds. */
  readonly microseconds: number;
}

const BODY = JSON.stringify({
  provider: 'bank_a',
  action: 'bank_a.accounts.list',
  params: { note: 'bench', numbers: [1, 2, 3] },
});

/** New submissions, each with its own key. */
export async function submitLoad(server: MeasuredServer, seconds: number): Promise<LoadResult> {
  return load(server, seconds, {
    method: 'POST',
    path: '/v1/jobs',
    headers: { ...headersOf(server), 'content-type': 'application/json' },
    body: BODY,
    setupRequest: (request) => ({
      ...request,
      headers: { ...request.headers, 'idempotency-key': randomUUID() },
    }),
  });
}

/** One job, read again and again. */
export async function readLoad(
  server: MeasuredServer,
  jobId: string,
  seconds: number,
): Promise<LoadResult> {
  return load(server, seconds, {
    method: 'GET',
    path: `/v1/jobs/${jobId}`,
    headers: headersOf(server),
  });
}

/** Submits one job, for reading it. */
export async function submitOne(server: MeasuredServer): Promise<string> {
  const answer = await fetch(new URL('/v1/jobs', server.url), {
    method: 'POST',
    headers: {
      ...headersOf(server),
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: BODY,
  });
  if (!answer.ok) throw new Error(`the submission was answered ${answer.status}`);
  const { job_id: id }: { job_id: string } = await answer.json();
  return id;
}

function headersOf({ authorization }: MeasuredServer): Record<string, string> {
  return { authorization, 'x-env-scope': 'sandbox' };
}

async function load(
  server: MeasuredServer,
  seconds: number,
  request: autocannon.Request,
): Promise<LoadResult> {
  const shoot = (duration: number) =>
    autocannon({ url: server.url, connections: CONNECTIONS, duration, requests: [request] });
  await shoot(2); // Warm code, caches and connections.
  const before = await server.sample();
  const result = await shoot(seconds);
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} answers were not 2xx, ${result.errors} failed`);
  }
  const { loopP99Ms, cpuMs } = await server.sample();
  return {
    perSecond: result['2xx'] / result.duration,
    p99Ms: result.latency.p99,
    loopP99Ms,
    microseconds: ((cpuMs - before.cpuMs) * 1000) / result['2xx'],
  };
}
