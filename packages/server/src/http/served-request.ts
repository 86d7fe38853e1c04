import type { EnvScope, May } from '@changgu/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Language } from '../requests/language.ts';
import type { RequestOrigin } from '../rules/principals/actor.ts';
import type { Principal } from '../rules/principals/principal.ts';
import type { HttpApp } from './app.ts';
import { originOf } from './origin.ts';
import type { RateStatus } from './rate-limit.ts';

/**
 * An admitted request as handlers read it. It is a class because V8 makes a hidden class for each object literal
 * that has a getter, and keeps it, with all that the getter can reach, until the next full collection.
 */
export class ServedRequest {
  readonly #app: Pick<HttpApp, 'draining' | 'gate'>;
  readonly #may: May;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;

  constructor(
    app: Pick<HttpApp, 'draining' | 'gate'>,
    may: May,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    this.#app = app;
    this.#may = may;
    this.#request = request;
    this.#reply = reply;
  }

  get principal(): Principal | null {
    return this.#request.call.admission?.principal ?? null;
  }

  get envScope(): EnvScope | null {
    return this.#request.call.admission?.envScope ?? null;
  }

  get rate(): RateStatus | null {
    return this.#request.call.admission?.rate ?? null;
  }

  get params(): unknown {
    return this.#request.params;
  }

  get query(): unknown {
    return this.#request.query;
  }

  get body(): unknown {
    return this.#request.body ?? null;
  }

  get idempotencyKey(): string | null {
    return this.#request.call.idempotencyKey;
  }

  get headers(): FastifyRequest['headers'] {
    return this.#request.headers;
  }

  get traceId(): string {
    return this.#request.call.traceId;
  }

  get origin(): RequestOrigin {
    return originOf(this.#request);
  }

  get language(): Language {
    return this.#request.call.language;
  }

  get protocol(): string {
    return this.#request.protocol;
  }

  get signal(): AbortSignal {
    return AbortSignal.any([this.#app.draining, callerGone(this.#reply)]);
  }

  get stillAdmitted(): () => Promise<boolean> {
    return () => this.#app.gate.stillAdmits(this.#request, this.#may);
  }
}

/** Aborted when the caller disconnects before the answer. */
export function callerGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
