import type { Span } from '@opentelemetry/api';
import type { FastifyRequest } from 'fastify';
import { type Language, languageOf } from '../requests/language.ts';
import type { Principal } from '../rules/principals/principal.ts';
import { traceIdOf } from '../tracing/spans.ts';
import type { Admission, TokenChallenge } from './gate.ts';
import { type TraceIds, traceIdsOf } from './trace-id.ts';

/** What the service knows about a request from its first hook on: `request.call`. */
export interface Call extends TraceIds {
  /** Null for a request that reaches no route. */
  readonly span: Span | null;
  readonly language: Language;
  /** Set as soon as the caller is known, so that refusals are logged with it. */
  principal: Principal | null;
  admission: Admission | null;
  /** How a client gets a token with more rights; null when OAuth is off. */
  challenge: TokenChallenge | null;
  idempotencyKey: string | null;
  /** Whether the body holds objects of any form. */
  hasFreeForm: boolean;
  /** Whether the body was still to come when the caller was admitted. */
  bodyIsLate: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    call: Call;
  }
}

export function beginCall({ headers }: FastifyRequest, span: Span | null): Call {
  const sent = headers['x-trace-id'];
  const { traceId, correlationId } = traceIdsOf(
    typeof sent === 'string' ? sent : undefined,
    span && traceIdOf(span),
  );
  return {
    traceId,
    correlationId,
    span,
    language: languageOf(headers['accept-language']),
    principal: null,
    admission: null,
    challenge: null,
    idempotencyKey: null,
    hasFreeForm: false,
    bodyIsLate: false,
  };
}
