import { newTraceId } from '../ids.ts';

const ACCEPTED = /^[A-Za-z0-9_.-]{1,128}$/;
const OUR_FORM = /^trc_[0-9a-f]+$/;

export interface TraceIds {
  /** `error.trace_id`, always in our own format. */
  readonly traceId: string;
  /** The caller's id or a new one, logged and echoed in X-Trace-Id. */
  readonly correlationId: string;
}

/**
 * A request's trace ids, from its X-Trace-Id. An id of our own is the id of the
 * OpenTelemetry trace if there is one, so that either leads to the other.
 */
export function traceIdsOf(header: string | undefined, recorded: string | null): TraceIds {
  const sent = header !== undefined && ACCEPTED.test(header) ? header : null;
  const own = recorded === null ? newTraceId() : `trc_${recorded}`;
  const traceId = sent !== null && OUR_FORM.test(sent) ? sent : own;
  return { traceId, correlationId: sent ?? traceId };
}
