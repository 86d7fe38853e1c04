import { LIMITS } from '@changgu/contract';
import { context, type Span } from '@opentelemetry/api';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { asServiceError, errorEnvelope } from '../requests/error-answer.ts';
import type { ServiceError } from '../rules/service-error.ts';
import { assertNotEncoded, parseFreeFormBody, parseJsonBody } from './bodies/json-body.ts';
import { beginCall } from './call.ts';
import {
  answerUnparsable,
  ignoreExpectations,
  refusedHead,
} from './connections/unparsable-requests.ts';
import { closeUnusedConnections } from './connections/unused-connections.ts';
import { BEARER_CHALLENGE, type Gate } from './gate.ts';
import { watchForLeftCallers } from './left-callers.ts';
import { logFailure, logLeftCaller, logRequest } from './request-log.ts';
import { endRequestSpan, startRequestSpan } from './request-span.ts';
import { createRouteTable, type RouteTable, unknownRoute } from './route-table.ts';
import { securityHeaders } from './security-headers.ts';
import { validatorCompiler } from './validation.ts';

/** The HTTP side of a server; routes are added with `route()`. */
export interface HttpApp {
  readonly fastify: FastifyInstance;
  readonly gate: Gate;
  /** Checks every answer against its schema: tests and development only. */
  readonly checkAnswers: boolean;
  /** Aborted when the server starts draining, so that long waits answer at once. */
  readonly draining: AbortSignal;
  readonly routes: RouteTable;
}

export interface AppOptions {
  readonly gate: Gate;
  readonly logger: FastifyBaseLogger;
  readonly draining: AbortSignal;
  /** How many hops of X-Forwarded-For are trusted; false for none. */
  readonly trustProxy?: false | number | readonly string[];
  readonly overHttps?: boolean;
  /** Connections beyond this are closed at once, before they cost memory. */
  readonly maxConnections?: number;
  /** A connection on which nothing moves for this long is closed. */
  readonly silentMs?: number;
  /** Compares every answer with the contract: for tests. */
  readonly checkAnswers?: boolean;
  /** Refuses a request before anything else, for example by its Host in development. */
  readonly refuse?: (request: FastifyRequest) => ServiceError | null;
  readonly onAnswered?: (
    request: FastifyRequest,
    reply: FastifyReply,
    route: string | undefined,
  ) => void;
}

/** Longer than any answer takes to begin: the longest wait is a tool call's, of CHANGGU_MCP_WAIT_SECONDS. */
const SILENT_MS = 360_000;

export function createApp(options: AppOptions): HttpApp {
  const headers = securityHeaders(options.overHttps ?? false);
  const fastify: FastifyInstance = Fastify({
    loggerInstance: withoutChildren(options.logger),
    // Most requests have no body, and need no stream that ends, is read and closes. Node refuses a request without a
    // host by itself, with an empty answer.
    http: { optimizeEmptyRequests: true, requireHostHeader: false },
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    // Naming compilers keeps Fastify from loading its own, which slows the start.
    schemaController: { compilersFactory: { buildValidator: unused, buildSerializer: unused } },
    trustProxy: trustedProxies(options.trustProxy ?? false),
    bodyLimit: LIMITS.bodyBytes,
    // As long as Node lets a request's head be: whatever an id's length, its operation answers.
    routerOptions: { maxParamLength: 16_384 },
    requestTimeout: 60_000,
    connectionTimeout: options.silentMs ?? SILENT_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      begin(request, reply, headers, null);
      answerError(error, request, reply);
    },
    clientErrorHandler: answerUnparsable,
  });
  if (options.maxConnections !== undefined) fastify.server.maxConnections = options.maxConnections;
  const routes = createRouteTable();

  // Unset until the first hook has run; nothing reads it earlier.
  fastify.decorateRequest('call');
  fastify.setValidatorCompiler(validatorCompiler);
  acceptOnlyJson(fastify);
  closeUnusedConnections(fastify);
  ignoreExpectations(fastify.server);
  fastify.addHook('onRequest', (request, reply, done) => {
    const traced = startRequestSpan(request);
    begin(request, reply, headers, traced?.span ?? null);
    if (options.draining.aborted) reply.header('connection', 'close');
    const unknown = request.is404 ? unknownRoute(routes, request, reply) : null;
    const refusal = refusedHead(request) ?? options.refuse?.(request) ?? unknown ?? undefined;
    if (traced === null) done(refusal);
    else context.with(traced.within, done, undefined, refusal);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    // A kept-alive connection would keep a stopping process alive for over a minute.
    if (options.draining.aborted) request.raw.socket.end();
    // Fastify makes the options of the route anew each time they are read.
    const { url: route } = request.routeOptions;
    logRequest(request, reply, route);
    endRequestSpan(request, reply);
    options.onAnswered?.(request, reply, route);
    done();
  });
  watchForLeftCallers(fastify, (request, reply) => {
    logLeftCaller(request, reply);
    endRequestSpan(request, reply);
  });
  fastify.setErrorHandler(answerError);
  return {
    fastify,
    gate: options.gate,
    checkAnswers: options.checkAnswers ?? false,
    draining: options.draining,
    routes,
  };
}

/**
 * A child logger per request would add nothing: request lines carry their trace id themselves. Fastify's own option
 * for that has it examine the logger at each request.
 */
function withoutChildren(logger: FastifyBaseLogger): FastifyBaseLogger {
  const only: FastifyBaseLogger = Object.create(logger, { child: { value: () => only } });
  return only;
}

/** Gives the request its call and the reply what every answer carries. */
function begin(
  request: FastifyRequest,
  reply: FastifyReply,
  headers: Readonly<Record<string, string>>,
  span: Span | null,
): void {
  request.call = beginCall(request, span);
  reply.headers(headers).header('x-trace-id', request.call.correlationId);
  const requestId = request.headers['x-request-id'];
  if (typeof requestId === 'string' && requestId.length <= 128) {
    reply.header('x-request-id', requestId);
  }
}

function acceptOnlyJson(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async ({ headers, call }: FastifyRequest, bytes: Buffer) => {
      assertNotEncoded(headers);
      return call.hasFreeForm ? parseFreeFormBody(bytes) : parseJsonBody(bytes);
    },
  );
}

/** Requests are validated by our own compiler; answers are plain JSON. */
function unused(): never {
  throw new Error('Fastify compiles no schema here');
}

/** A number trusts that many of the nearest hops; Fastify's types require a function. */
function trustedProxies(trust: NonNullable<AppOptions['trustProxy']>) {
  if (trust === false) return false;
  return typeof trust === 'number' ? (_address: string, hop: number) => hop < trust : [...trust];
}

function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (reply.raw.destroyed && isPrematureClose(thrown)) return;
  const error = asServiceError(thrown);
  const { call } = request;
  if (error.status >= 500) logFailure(request, error);
  if (error.details.headers) reply.headers(error.details.headers);
  if (error.details.scopes && call.challenge) {
    reply.header(
      'www-authenticate',
      call.challenge(request.routeOptions.url, error.details.scopes),
    );
  } else if (error.status === 401 && !reply.hasHeader('www-authenticate')) {
    // Only the gate knows all that an operation accepts; a login accepts nothing, and leads to a token.
    reply.header('www-authenticate', BEARER_CHALLENGE);
  }
  if (error.details.retryAfterSeconds !== undefined) {
    reply.header('retry-after', String(error.details.retryAfterSeconds));
  }
  reply.status(error.status).send(errorEnvelope(error, call.traceId, call.language));
}

/** A stream is closed when its caller disconnects, and Fastify then calls the answer a failure. */
function isPrematureClose(thrown: unknown): boolean {
  return (
    thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_STREAM_PREMATURE_CLOSE'
  );
}
