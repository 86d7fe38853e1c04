import type { LookupFunction } from 'node:net';
import type { DeliveryError } from '@changgu/contract';
import { Agent, request } from 'undici';
import {
  AddressRefusedError,
  guardedLookup,
  type Resolve,
} from '../../institutions/portal/address-guard.ts';
import { storableText } from '../../rules/storable-text.ts';
import type { Attempt } from '../../rules/webhooks/delivery-schedule.ts';
import type { WebhookAddresses } from './webhook-addresses.ts';

const TIMEOUT_MS = 15_000;
/** How much of an answer the log keeps. */
const KEPT_BYTES = 1_024;

/** The outcome of one request. */
export interface WebhookAnswer extends Attempt {
  readonly body: string | null;
  readonly durationMs: number;
}

export interface WebhookHttp {
  /** Never rejects. `signal` abandons it. */
  post(
    url: string,
    message: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
    signal: AbortSignal,
  ): Promise<WebhookAnswer>;
  close(): Promise<void>;
}

export interface WebhookHttpOptions {
  readonly addresses: WebhookAddresses;
  readonly timeoutMs?: number;
  /** Replaces DNS in tests. */
  readonly resolve?: Resolve;
}

/**
 * Sends to addresses that customers choose. The address is checked when the connection is made, so a name cannot
 * change in between; redirects are not followed; an answer is read only as far as the log keeps it.
 */
export function createWebhookHttp(options: WebhookHttpOptions): WebhookHttp {
  const { addresses, timeoutMs = TIMEOUT_MS } = options;
  const lookup: LookupFunction = guardedLookup(addresses.isAllowed, options.resolve);
  const agent = new Agent({
    connect: { lookup, timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxHeaderSize: 16 * 1024,
  });
  return {
    async post(url, { headers, body }, signal) {
      const begun = performance.now();
      const ended = (attempt: Attempt, text: string | null = null): WebhookAnswer => ({
        ...attempt,
        body: text,
        durationMs: Math.round(performance.now() - begun),
      });
      // A literal address is never looked up.
      if (!addresses.isAllowedHost(new URL(url).hostname)) {
        return ended({ status: null, error: 'ADDRESS_REFUSED' });
      }
      const clock = AbortSignal.timeout(timeoutMs);
      try {
        const { statusCode: status, body: stream } = await request(url, {
          method: 'POST',
          headers,
          body,
          dispatcher: agent,
          signal: AbortSignal.any([signal, clock]),
        });
        const text = await firstBytes(stream);
        return ended({ status, error: errorOf(status) }, text);
      } catch (failure) {
        return ended({ status: null, error: failureOf(failure, clock) });
      }
    },
    close: () => agent.destroy(),
  };
}

function errorOf(status: number): DeliveryError | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'REDIRECT' : 'STATUS';
}

function failureOf(failure: unknown, clock: AbortSignal): DeliveryError {
  if (clock.aborted) return 'TIMEOUT';
  const { name, code, cause }: { name?: unknown; code?: unknown; cause?: unknown } =
    Object(failure);
  if (name === AddressRefusedError.name || cause instanceof AddressRefusedError) {
    return 'ADDRESS_REFUSED';
  }
  return typeof code === 'string' && code.endsWith('_TIMEOUT') ? 'TIMEOUT' : 'CONNECTION';
}

/** Leaving the loop aborts the rest of the answer. */
async function firstBytes(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream) {
    pieces.push(piece);
    length += piece.length;
    if (length >= KEPT_BYTES) break;
  }
  const bytes = Buffer.concat(pieces).subarray(0, KEPT_BYTES);
  return storableText(bytes.toString('utf8'));
}
