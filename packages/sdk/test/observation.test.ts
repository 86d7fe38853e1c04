import { Writable } from 'node:stream';
import { Changgu, type ClientOptions, ConfigurationError } from '@changgu/sdk';
import type { trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';

const HEALTH = { status: 'ok', service: 'changgu', version: '2.0.0' };

/** A client of a service that answers with these, one after the other. */
function clientFor(options: ClientOptions, ...answers: Response[]) {
  const sent: Readonly<Record<string, string>>[] = [];
  const client = new Changgu({
    baseUrl: 'https://changgu.test/base',
    clientId: 'a',
    clientSecret: 'b',
    // No pause before a retry.
    random: () => 0,
    ...options,
    fetch: async (_, { headers }) => {
      sent.push(headers);
      return answers.shift() ?? Response.json(HEALTH);
    },
  });
  return { client, sent };
}

describe('withResponse', () => {
  it('adds status, headers and request id to the data', async () => {
    const { client } = clientFor(
      {},
      Response.json(HEALTH, { headers: { 'x-request-id': 'req_1', 'x-other': 'y' } }),
    );
    const { data, response } = await client.system.health().withResponse();
    expect(data).toEqual(HEALTH);
    expect(response).toMatchObject({ status: 200, requestId: 'req_1', attempts: 1 });
    expect(response.headers.get('X-Other')).toBe('y');
  });

  it('tells of the submission where a call makes more than one request', async () => {
    const answer = {
      job_id: 'job_01',
      status: 'QUEUED',
      submitted_at: '2026-11-21T09:00:00.000+09:00',
    };
    const { client } = clientFor({}, Response.json(answer, { status: 202 }));
    const call = client.jobs.submit({ action: 'bank_b.accounts.list' });
    const { data, response } = await call.withResponse();
    expect([data.id, response.status]).toEqual(['job_01', 202]);
  });

  it('rejects as the call does', async () => {
    const { client } = clientFor({ maxRetries: 0 }, Response.json({}, { status: 404 }));
    await expect(client.jobs.get('job_1').withResponse()).rejects.toMatchObject({ status: 404 });
  });
});

describe('logs', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it('go to pino as fields and a message', async () => {
    const lines: string[] = [];
    const destination = new Writable({
      write(chunk, _, done) {
        lines.push(String(chunk));
        done();
      },
    });
    const { client } = clientFor({ logger: pino({ level: 'debug' }, destination) });
    await client.system.health();
    const line: unknown = JSON.parse(lines[0] ?? '');
    expect(line).toMatchObject({ msg: 'changgu: answer', operation: 'health', status: 200 });
  });

  it('go to the console as it is', async () => {
    const debug = vi.spyOn(console, 'debug').mockImplementation(() => {});
    const { client } = clientFor({ logger: console });
    await client.system.health();
    expect(debug).toHaveBeenCalledWith('answer', expect.objectContaining({ status: 200 }));
  });

  it('begin at logLevel', async () => {
    const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const failed = Response.json({}, { status: 503 });
    const { client } = clientFor({ logger, logLevel: 'warn' }, failed);
    await client.system.health();
    expect([logger.debug.mock.calls.length, logger.warn.mock.calls.length]).toEqual([0, 1]);
  });

  it('go to standard error where CHANGGU_LOG asks for them', async () => {
    vi.stubEnv('CHANGGU_LOG', 'debug');
    const error = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { client } = clientFor({});
    await client.system.health();
    expect(error).toHaveBeenCalledWith('changgu debug: answer', expect.anything());
  });

  it('refuse an option that is no level, and pass over such a variable (D150)', async () => {
    // As a program without types passes it.
    expect(() => clientFor({ logLevel: 'loud' as 'warn' })).toThrow(ConfigurationError);
    vi.stubEnv('CHANGGU_LOG', 'trace');
    const error = vi.spyOn(console, 'error').mockImplementation(() => {});
    const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    await clientFor({}).client.system.health();
    await clientFor({ logger }).client.system.health();
    expect(error).not.toHaveBeenCalled();
    expect(logger.debug).toHaveBeenCalledOnce();
  });
});

function openTelemetry() {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const tracer = provider.getTracer('test') satisfies ReturnType<typeof trace.getTracer>;
  return { tracer, exporter };
}

it('a stream of events that is aborted says which call it was', async () => {
  const { client } = clientFor({});
  const signal = AbortSignal.abort();
  const error: unknown = await client.events
    .stream({}, { signal, traceId: 'trc_mine' })
    .next()
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    name: 'AbortError',
    operation: 'listEvents',
    traceId: 'trc_mine',
    attempts: 1,
  });
});

describe('a tracer of OpenTelemetry', () => {
  it('gets a span for each attempt, and its context goes along', async () => {
    const { tracer, exporter } = openTelemetry();
    const { client, sent } = clientFor({ tracer }, Response.json({}, { status: 503 }));
    await client.jobs.get('job_1').catch(() => {});
    const [first, second] = exporter.getFinishedSpans();
    expect(first).toMatchObject({
      name: 'GET /v1/jobs/{job_id}',
      kind: 2,
      status: { code: 2 },
      attributes: {
        'http.request.method': 'GET',
        'http.response.status_code': 503,
        'url.template': '/v1/jobs/{job_id}',
        'url.full': 'https://changgu.test/base/v1/jobs/job_1',
        'server.address': 'changgu.test',
        'server.port': 443,
      },
    });
    expect(second?.attributes['http.request.resend_count']).toBe(1);
    expect(sent[0]?.traceparent).toContain(first?.spanContext().spanId);
  });

  it('gets a span for each connection of a stream, and for each download', async () => {
    const { tracer, exporter } = openTelemetry();
    const stream = new Response(
      'id: evt_1\ndata: {"event_id":"evt_1","type":"job.started","subject":{}}\n\n',
      {
        headers: { 'content-type': 'text/event-stream' },
      },
    );
    const { client, sent } = clientFor({ tracer }, stream, new Response('file'));
    for await (const { eventId } of client.events.stream()) {
      expect(eventId).toBe('evt_1');
      break;
    }
    const file = { jobId: 'job_1', downloadUrl: 'https://files.test/a?signature=secret' };
    const { data, response } = await client.artifacts.bytes(file).withResponse();
    expect([data.length, response.status]).toEqual([4, 200]);
    const [opened, downloaded] = exporter.getFinishedSpans();
    expect(opened).toMatchObject({
      name: 'GET /v1/events',
      attributes: { 'http.response.status_code': 200, 'changgu.operation': 'listEvents' },
    });
    expect(sent[0]?.traceparent).toContain(opened?.spanContext().spanId);
    expect(downloaded).toMatchObject({
      name: 'GET',
      attributes: { 'server.address': 'files.test' },
    });
    expect(JSON.stringify(downloaded?.attributes)).not.toContain('secret');
  });
});
