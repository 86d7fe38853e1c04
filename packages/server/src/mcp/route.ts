import { operations } from '@changgu/contract/schemas';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HttpApp } from '../http/app.ts';
import { assertNotEncoded, parseJsonBody } from '../http/bodies/json-body.ts';
import { noteLateBody, readmitLate } from '../http/bodies/late-body.ts';
import { readIdempotencyKey } from '../http/idempotency-key.ts';
import { originOf } from '../http/origin.ts';
import { logFailure } from '../http/request-log.ts';
import { callerGone } from '../http/served-request.ts';
import { invalidValue, ServiceError } from '../rules/service-error.ts';
import type { Caller } from './caller.ts';
import { type Toolset, toolsetsOf } from './tools/toolsets.ts';

/** An admitted request to POST /mcp, its body parsed. */
export interface McpRequest {
  readonly body: unknown;
  readonly headers: Headers;
  readonly caller: Caller;
  /** Aborted when the caller is gone. */
  readonly gone: AbortSignal;
}

/** A request over the rate limit, which is refused before its environment is looked at. */
export type LimitedRequest = Omit<McpRequest, 'caller'> & Pick<Caller, 'language'>;

/** The service behind POST /mcp, loaded with the first request. */
export interface McpService {
  answer(request: McpRequest): Promise<Response>;
  /** Answers a body that is not JSON or not acceptable. */
  refuse(error: ServiceError, body: unknown, caller: Pick<Caller, 'language'>): Response;
  /** Answers a caller with too many calls. */
  limit(error: ServiceError, request: LimitedRequest): Promise<Response>;
}

const { method, path, may, scope, environment } = operations.mcp.callMcp;

/** `params.arguments` of one message of a batch. */
const LEVELS_ABOVE_ARGUMENTS = 4;

/**
 * POST /mcp. Caller and environment are determined as everywhere; from the body on everything is
 * JSON-RPC.
 */
export function mcpRoute(app: HttpApp, load: () => Promise<McpService>): void {
  const limited = new WeakMap<FastifyRequest, ServiceError>();
  let service: Promise<McpService> | undefined;

  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      request.call.admission = await app.gate.admit(request, reply, {
        may,
        scope,
        environment,
      });
      noteLateBody(request);
    } catch (error) {
      const isKnown = request.call.principal !== null;
      if (!(isKnown && error instanceof ServiceError && error.code === 'RATE_LIMITED')) throw error;
      limited.set(request, error);
    }
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<Response> {
    service ??= load();
    const { answer, refuse, limit } = await service;
    const { call } = request;
    let body: unknown;
    let toolsets: ReadonlySet<Toolset>;
    try {
      body = parseBody(request.body);
      call.idempotencyKey = readIdempotencyKey(request.raw);
      toolsets = toolsetsOf(headerOf(request, 'x-mcp-toolsets'));
    } catch (error) {
      if (error instanceof ServiceError) return refuse(error, body ?? null, call);
      throw error;
    }
    const tooMany = limited.get(request) ?? chargeBatch(app, request, reply, body);
    const gone = callerGone(reply);
    const headers = headersOf(request);
    if (tooMany) return limit(tooMany, { body, headers, gone, language: call.language });
    const stopWaiting = AbortSignal.any([app.draining, gone]);
    const caller = callerOf(app, request, toolsets, stopWaiting);
    return answer({ body, headers, caller, gone });
  }

  app.routes.add(method, path);
  app.fastify.register(async (scope) => {
    takeBytes(scope);
    scope.route({
      method,
      url: path,
      onRequest: admit,
      handler: async (request, reply) => {
        if (request.call.bodyIsLate) await readmitLate(app.gate, request, may);
        return reply.send(await answer(request, reply));
      },
    });
  });
}

/** A body that is not JSON gets a JSON-RPC answer, so no parser may refuse it first. */
function takeBytes(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async ({ headers }: FastifyRequest, bytes: Buffer) => {
      assertNotEncoded(headers);
      return bytes;
    },
  );
}

/** A batch costs as many calls as it has messages, so that it cannot bypass the rate limit. */
function chargeBatch(
  app: HttpApp,
  { call }: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
): ServiceError | null {
  if (call.principal === null || !Array.isArray(body) || body.length < 2) return null;
  try {
    app.gate.charge(call.principal, reply, body.length - 1);
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

/** @throws ServiceError as for every JSON body */
function parseBody(bytes: unknown): unknown {
  const body = parseJsonBody(
    bytes instanceof Buffer ? bytes : Buffer.alloc(0),
    LEVELS_ABOVE_ARGUMENTS,
  );
  if (body !== undefined) return body;
  throw invalidValue([{ loc: ['body'], msg: 'Field required', type: 'json_invalid' }]);
}

function callerOf(
  app: HttpApp,
  request: FastifyRequest,
  toolsets: ReadonlySet<Toolset>,
  stopWaiting: AbortSignal,
): Caller {
  const { admission, idempotencyKey, language } = request.call;
  // The gate admits only clients, and only with an environment.
  if (admission?.principal?.kind !== 'client' || admission.envScope === null) {
    throw new ServiceError('INTERNAL_ERROR');
  }
  return {
    principal: admission.principal,
    envScope: admission.envScope,
    origin: originOf(request),
    language,
    idempotencyKey,
    sandboxOutcome: headerOf(request, 'x-sandbox-outcome'),
    toolsets,
    stopWaiting,
    stillAdmitted: () => app.gate.stillAdmits(request, may),
    onFailure: (failure) => logFailure(request, failure),
  };
}

function headerOf({ headers }: FastifyRequest, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

function headersOf({ headers }: FastifyRequest): Headers {
  const web = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) web.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return web;
}
