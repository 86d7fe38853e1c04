import type { FastifyRequest } from 'fastify';
import type { Principal } from '../principals/principal.ts';
import type { Admission } from './gate.ts';
import { type Language, languageOf } from './language.ts';
import { type TraceIds, traceIdsOf } from './trace-id.ts';

/** What the service knows about a request, from its first hook on: `request.call`. */
export interface Call extends TraceIds {
  readonly language: Language;
  /** Set as soon as the caller is known, so that refusals are logged with it. */
  principal: Principal | null;
  admission: Admission | null;
  idempotencyKey: string | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    call: Call;
  }
}

export function beginCall({ headers }: FastifyRequest): Call {
  const traceHeader = headers['x-trace-id'];
  return {
    ...traceIdsOf(typeof traceHeader === 'string' ? traceHeader : undefined),
    language: languageOf(headers['accept-language']),
    principal: null,
    admission: null,
    idempotencyKey: null,
  };
}
