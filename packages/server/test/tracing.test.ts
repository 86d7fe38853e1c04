import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { context, SpanKind, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createPortalHttp } from '../src/institutions/portal/client/http-client.ts';
import { inSpan } from '../src/tracing/spans.ts';
import { startTestServer, type TestServer } from './support/start-server.ts';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
let server: TestServer;

beforeAll(async () => {
  provider.register();
  server = await startTestServer();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await provider.shutdown();
  trace.disable();
  context.disable();
});

function spanNamed(name: string) {
  const span = exporter.getFinishedSpans().find((each) => each.name === name);
  if (span === undefined) throw new Error(`no span ${name}`);
  return span;
}

describe('OpenTelemetry', () => {
  it('one trace leads from the caller over the submission to the run', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const { body, headers } = await server.call('POST', '/v1/jobs', {
      key: 'trace',
      body: { provider: 'bank_a', action: 'bank_a.accounts.list' },
      headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
    });
    await server.ended(body.job_id);
    expect(headers.get('x-trace-id')).toBe(`trc_${traceId}`);
    const submission = spanNamed('POST /v1/jobs');
    const run = spanNamed('run bank_a.accounts.list');
    expect(submission.spanContext().traceId).toBe(traceId);
    expect(run.spanContext().traceId).toBe(traceId);
    expect(run.parentSpanContext?.spanId).toBe(submission.spanContext().spanId);
    expect(run.attributes['changgu.job_id']).toBe(body.job_id);
    expect(submission.attributes['http.response.status_code']).toBe(202);
  });

  it('ends the span of a request whose caller leaves', async () => {
    const stream = new AbortController();
    const onEnd = vi.spyOn(exporter, 'export');
    const ended = new Promise((resolve) => onEnd.mockImplementationOnce(resolve));
    const answer = await fetch(`${server.url}/v1/events`, {
      headers: { ...server.headers(), accept: 'text/event-stream' },
      signal: stream.signal,
    });
    expect(answer.status).toBe(200);
    stream.abort();
    expect(await ended).toMatchObject([
      { name: 'GET /v1/events', attributes: { 'http.response.status_code': 200 } },
    ]);
  });

  it('records a span for each portal request, without its query and form', async () => {
    const portal = createServer((_request, response) => response.end('ok')).listen(0, '127.0.0.1');
    await once(portal, 'listening');
    const { port } = portal.address() as AddressInfo;
    const http = createPortalHttp();
    const { signal } = new AbortController();
    const client = http.open({ baseUrl: `http://127.0.0.1:${port}`, signal });
    await inSpan('run', { attributes: {} }, () =>
      client.request({ method: 'POST', path: '/login?id=secret', form: { pw: 'secret' } }),
    );
    await http.close();
    portal.close();
    const requests = exporter.getFinishedSpans().filter(({ kind }) => kind === SpanKind.CLIENT);
    expect(requests.map(({ name }) => name)).toEqual(['POST /login']);
    const request = spanNamed('POST /login');
    expect(request.parentSpanContext?.spanId).toBe(spanNamed('run').spanContext().spanId);
    expect(JSON.stringify([request.name, request.attributes])).not.toContain('secret');
  });
});
