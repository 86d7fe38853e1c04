import { type Delivery, type ServiceEvent, toWireCase } from '@changgu/sdk';
import { httpFetch } from '../../http-fetch.ts';
import type { ListenKeys } from './listen-keys.ts';

const TIMEOUT_MS = 15_000;
/** How much of an answer the delivery log keeps. */
const KEPT_BYTES = 1_024;

/** The outcome of one request, in the words of the delivery log. */
export interface ForwardedEvent
  extends Pick<
    Delivery,
    'eventId' | 'eventType' | 'status' | 'durationMs' | 'responseStatus' | 'responseBody' | 'error'
  > {}

export interface ForwardTo {
  readonly url: string;
  readonly keys: ListenKeys;
  /** Real time in milliseconds. */
  readonly now: () => number;
  /** Abandons it. */
  readonly signal: AbortSignal;
}

/** Sends an event as the service would, with the same body and headers, 15 seconds and no redirects, but only once. */
export async function forwardEvent(event: ServiceEvent, to: ForwardTo): Promise<ForwardedEvent> {
  const begun = performance.now();
  const clock = AbortSignal.timeout(TIMEOUT_MS);
  const { status, body, error } = await post(event, to, clock).catch(() => ({
    status: null,
    body: null,
    error: clock.aborted ? ('TIMEOUT' as const) : ('CONNECTION' as const),
  }));
  return {
    eventId: event.eventId,
    eventType: event.type,
    status: error === null ? 'SUCCEEDED' : 'FAILED',
    durationMs: Math.round(performance.now() - begun),
    responseStatus: status,
    responseBody: body,
    error,
  };
}

async function post(
  event: ServiceEvent,
  { url, keys, now, signal }: ForwardTo,
  clock: AbortSignal,
) {
  const body = JSON.stringify(toWireCase(event));
  const answer = await httpFetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Changgu-Webhooks/1',
      // A receiver under development restarts often, and a connection to its predecessor must not be reused.
      connection: 'close',
      ...keys.sign(event.eventId, body, now()),
    },
    body,
    redirect: 'manual',
    signal: AbortSignal.any([signal, clock]),
  });
  const { status } = answer;
  return { status, body: await firstBytes(answer.body), error: errorOf(status) };
}

type Answer = Awaited<ReturnType<typeof httpFetch>>;

async function firstBytes(body: Answer['body']): Promise<string> {
  const reader = body?.getReader();
  const pieces: Uint8Array[] = [];
  for (let length = 0; length < KEPT_BYTES; ) {
    const piece = await reader?.read();
    if (piece === undefined || piece.done) break;
    pieces.push(piece.value);
    length += piece.value.length;
  }
  await reader?.cancel();
  return Buffer.concat(pieces).subarray(0, KEPT_BYTES).toString('utf8');
}

function errorOf(status: number): ForwardedEvent['error'] {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'REDIRECT' : 'STATUS';
}
