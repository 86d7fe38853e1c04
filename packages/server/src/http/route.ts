import { Readable } from 'node:stream';
import type { EnvScope, ErrorCode, May, PrincipalKind } from '@changgu/contract';
import type { Operation, OperationResponse } from '@changgu/contract/schemas';
import type { FastifyReply, FastifyRequest, HTTPMethods, preHandlerHookHandler } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import type { Language } from '../requests/language.ts';
import type { RequestOrigin } from '../rules/principals/actor.ts';
import type { Principal } from '../rules/principals/principal.ts';
import type { HttpApp } from './app.ts';
import { noteLateBody, readmitLate } from './bodies/late-body.ts';
import { checked } from './checked-handler.ts';
import type { Entrance } from './gate.ts';
import { readIdempotencyKey, requireIdempotencyKey } from './idempotency-key.ts';
import type { RateStatus } from './rate-limit.ts';
import { ServedRequest } from './served-request.ts';
import { validatorOf } from './validation.ts';

type StaticOf<S, Otherwise> = S extends TSchema ? Static<S> : Otherwise;

type PrincipalOf<M extends May> = M extends 'anyone'
  ? null
  : Extract<Principal, { kind: keyof M & PrincipalKind }>;

/** A request that passed authentication, environment, shape and key (steps 1 to 5 of D19). */
export interface OperationRequest<O extends Operation> {
  readonly principal:
    | PrincipalOf<O['may']>
    | (O extends { readonly orAnonymous: true } ? null : never);
  readonly envScope: O['environment'] extends 'none' ? null : EnvScope;
  readonly params: StaticOf<O['params'], Record<string, never>>;
  readonly query: StaticOf<O['query'], Record<string, never>>;
  /** Null when the operation makes it optional and it is absent. */
  readonly body: O extends { readonly bodyRequired: false }
    ? StaticOf<O['body'], null> | null
    : StaticOf<O['body'], null>;
  readonly idempotencyKey: O['idempotencyKey'] extends 'required' ? string : string | null;
  readonly headers: FastifyRequest['headers'];
  readonly traceId: string;
  /** The actor and origin that the audit log records for this request. */
  readonly origin: RequestOrigin;
  readonly language: Language;
  readonly protocol: string;
  readonly rate: O['may'] extends 'anyone' ? null : RateStatus;
  /** Aborted when the caller disconnects before the answer, or the server is draining. */
  readonly signal: AbortSignal;
  /** Whether the same credentials would still be admitted; long answers check it regularly. */
  readonly stillAdmitted: () => Promise<boolean>;
}

type Header = string | number;

/** A declared status with its body. */
export type OperationAnswer<O extends Operation> = {
  [S in keyof O['responses'] & number]: {
    readonly status: S;
    readonly body: O['responses'][S] extends { readonly schema: infer B extends TSchema }
      ? Static<B> | (O['responses'][S] extends { readonly streamType: string } ? Readable : never)
      : OperationResponse extends O['responses'][S]
        ? // An operation that is only known at run time.
          unknown
        : NodeJS.ReadableStream | Uint8Array | string | null;
    readonly headers?: Readonly<Record<string, Header>>;
  };
}[keyof O['responses'] & number];

/** Conditional, so that an answer's literal status is checked against this operation's own. */
export type OperationHandler<O extends Operation> = O extends Operation
  ? (request: OperationRequest<O>) => Promise<OperationAnswer<O>>
  : never;

export interface RouteOptions {
  /** Limits guesses that need no credentials, per address. */
  readonly limitAddress?: boolean;
  /** A GET that has an effect. */
  readonly acts?: boolean;
  /** The server makes its addresses itself: the error for a path or query of another shape. */
  readonly misaddressed?: ErrorCode;
}

/** Serves one operation of the contract: runs every check before its meaning, then `handler`. */
export function route<const O extends Operation>(
  app: HttpApp,
  operation: O,
  handler: OperationHandler<O>,
  { acts = false, misaddressed, ...limits }: RouteOptions = {},
): void {
  const url = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
  const head = !acts && isReadWhole(operation);
  app.routes.add(operation.method, url, { head });
  const { may, scope, environment, withoutFactor, orAnonymous } = operation;
  const entrance: Entrance = {
    may,
    environment,
    ...(scope && { scope }),
    ...(withoutFactor && { withoutFactor }),
    ...(orAnonymous && { orAnonymous }),
    ...limits,
  };
  const serve = app.checkAnswers ? checked(operation, handler) : handler;
  app.fastify.route({
    method: operation.method satisfies HTTPMethods,
    url,
    exposeHeadRoute: head,
    schema: requestSchemas(operation),
    validatorCompiler: validatorOf(operation, misaddressed),
    ...(operation.maxBodyBytes === undefined ? {} : { bodyLimit: operation.maxBodyBytes }),
    onRequest: async (request, reply) => {
      if (operation.body === undefined) ignoreBody(request);
      if (operation.freeForm) request.call.hasFreeForm = true;
      request.call.admission = await app.gate.admit(request, reply, entrance);
      // Whoever still lacks a second factor can only add one.
      if (operation.body !== undefined && !withoutFactor) noteLateBody(request);
    },
    ...(operation.idempotencyKey && { preHandler: readKey(operation.idempotencyKey) }),
    handler: async (request, reply) => {
      if (request.call.bodyIsLate) await readmitLate(app.gate, request, may);
      // The hooks have checked at run time what the operation's types state.
      const served = new ServedRequest(app, may, request, reply) as OperationRequest<Operation>;
      const answer = await serve(served);
      send(reply, operation.responses[answer.status], answer);
      // Fastify waits for the end of a reply that it gets, which only a stream needs.
      return reply.sent ? undefined : reply;
    },
  });
}

/** A stream or a file is opened before its head is known, and a caller who wants the head alone never closes it. */
function isReadWhole({ responses }: Operation): boolean {
  return Object.values<OperationResponse>(responses).every(
    ({ schema, streamType }) => schema !== undefined && streamType === undefined,
  );
}

const OF_BODY = ['content-type', 'content-length', 'transfer-encoding'] as const;

function requestSchemas({ params, query, body, bodyRequired }: Operation) {
  return {
    ...(params ? { params } : {}),
    ...(query ? { querystring: query } : {}),
    ...(body ? { body: bodyRequired === false ? Type.Union([body, Type.Null()]) : body } : {}),
  };
}

/** An operation without a body accepts any body: no parser reads it, and Node discards it. */
function ignoreBody({ raw: { headers } }: FastifyRequest): void {
  for (const name of OF_BODY) if (name in headers) delete headers[name];
}

function readKey(need: NonNullable<Operation['idempotencyKey']>): preHandlerHookHandler {
  const read = need === 'required' ? requireIdempotencyKey : readIdempotencyKey;
  return ({ call, raw }, _reply, done) => {
    call.idempotencyKey = read(raw);
    done();
  };
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, Header>>;
}

function send(reply: FastifyReply, response: OperationResponse | undefined, answer: Answer): void {
  const streamType = answer.body instanceof Readable ? response?.streamType : undefined;
  const type = streamType ?? response?.contentType ?? 'application/json; charset=utf-8';
  reply.status(answer.status).type(type);
  if (answer.headers) reply.headers(answer.headers);
  reply.send(answer.body);
}
