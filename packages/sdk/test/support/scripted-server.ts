import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as the server saw it. */
interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Milliseconds since the server started. */
  readonly at: number;
}

export type Answer = (request: SeenRequest, response: ServerResponse) => void | Promise<void>;

/** A real HTTP server whose n-th request gets the n-th answer; the last answer repeats. Closed after the test. */
export async function scriptedServer(...answers: Answer[]) {
  const seen: SeenRequest[] = [];
  const start = performance.now();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const body = Buffer.concat(chunks).toString();
    const entry = { method, url, headers, body, at: performance.now() - start };
    seen.push(entry);
    await answers[Math.min(seen.length, answers.length) - 1]?.(entry, response);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, seen };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** An error answer of the service. */
export function refusal(
  status: number,
  code: string,
  retryable: boolean,
  headers: Record<string, string> = {},
): Answer {
  const error = { code, message: 'no', retryable, provider_error_ref: null, trace_id: 'trc_0a' };
  return json(status, { error }, headers);
}

/** The connection dies without an answer. */
export const dropped: Answer = (_, response) => {
  response.socket?.destroy();
};

export const JOB_ID = 'job_01JD0000000000000000000000';

export const accepted = {
  job_id: JOB_ID,
  status: 'QUEUED',
  env_scope: 'sandbox',
  provider: 'bank_b',
  action: 'bank_b.accounts.list',
  submitted_at: '2026-11-21T09:00:00.000+09:00',
};

export function jobBody(status: string, more: Record<string, unknown> = {}) {
  const { submitted_at, ...facts } = accepted;
  const open = status === 'QUEUED' || status === 'RUNNING';
  return {
    ...facts,
    status,
    submitted_at,
    started_at: null,
    finished_at: null,
    retry_count: 0,
    progress: open ? 20 : 100,
    progress_message: null,
    retry_after_seconds: open ? 1 : null,
    error: null,
    ...more,
  };
}

export const resultBody = {
  job_id: JOB_ID,
  status: 'SUCCEEDED',
  finished_at: '2026-11-21T09:00:01.000+09:00',
  result: {
    schema: 'bank_b.accounts.list.v1',
    data: { mock: true, params_echo: {} },
    artifacts: [],
  },
};
