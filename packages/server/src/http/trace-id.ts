import { newTraceId } from '../ids.ts';

const ACCEPTED = /^[A-Za-z0-9_.-]{1,128}$/;
const OUR_FORM = /^trc_[0-9a-f]+$/;

export interface TraceIds {
  /** `error.trace_id`: always of our own form. */
  readonly traceId: string;
  /** The caller's id, or else a new one: logged and echoed in X-Trace-Id. */
  readonly correlationId: string;
}

/**
 * Trace ids of a request from its X-Trace-Id. One of our own is the id of the
 * OpenTelemetry trace where there is one, so that either leads to the other.
 */
export function traceIdsOf(header: string | undefined, recorded: string | null): TraceIds {
  const sent = header !== undefined && ACCEPTED.test(header) ? header : null;
  const own = recorded === null ? newTraceId() : `trc_${recorded}`;
  const traceId = sent !== null && OUR_FORM.test(sent) ? sent : own;
  return { traceId, correlationId: sent ?? traceId };
}
