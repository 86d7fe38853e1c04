import { createHash } from 'node:crypto';
import type { PreparedSubmission } from '@changgu/sdk';
import { canonicalJson } from '../canonical-json.ts';

/** What makes two calls the same call. */
export interface CallIdentity {
  readonly action: string;
  /** Everything that the service is sent. */
  readonly request: unknown;
  /** Chosen by the caller. */
  readonly requestId: string | undefined;
  readonly irreversible: boolean;
}

interface KnownCall {
  readonly key: string;
  readonly at: number;
  /** The request as text, and what was made of it, once it was sent. */
  sent: { readonly request: string; readonly prepared: PreparedSubmission } | null;
}

/** A call that is repeated within this time is taken for a retry of it. */
const WINDOW_MS = { read: 120_000, irreversible: 600_000 } as const;
/** Calls remembered; the oldest are forgotten first. */
const MAX_KNOWN = 1_000;

/**
 * Idempotency keys of calls: a retry, also one after a restart of this process, finds the job of the first
 * attempt. With a request_id the key follows from it, else from the call and the time.
 */
export class SubmissionKeys {
  readonly #principal: string;
  readonly #now: () => number;
  readonly #known = new Map<string, KnownCall>();
  readonly #reruns = new Map<string, number>();

  /** @param principal who calls: service, environment and client */
  constructor(principal: string, now: () => number) {
    this.#principal = principal;
    this.#now = now;
  }

  keyFor(call: CallIdentity): string {
    return this.#find(call).key;
  }

  /**
   * What an earlier attempt of this very request sent, null when there was none. It has to be sent again as it is:
   * encryption is randomized, and another ciphertext would be another request.
   */
  sentBefore(call: CallIdentity): PreparedSubmission | null {
    const { sent } = this.#find(call);
    return sent?.request === canonicalJson(call.request) ? sent.prepared : null;
  }

  rememberSent(call: CallIdentity, prepared: PreparedSubmission): void {
    this.#find(call).sent = { request: canonicalJson(call.request), prepared };
  }

  /** The same call is a new one from now on: its job failed, the caller was told, and it may be run again. */
  forget(call: CallIdentity): void {
    if (call.requestId !== undefined) return;
    const digest = this.#digest(call);
    this.#known.delete(digest);
    this.#reruns.set(digest, (this.#reruns.get(digest) ?? 0) + 1);
  }

  #find(call: CallIdentity): KnownCall {
    const digest = this.#digest(call);
    const window = WINDOW_MS[call.irreversible ? 'irreversible' : 'read'];
    const now = this.#now();
    const known = this.#known.get(digest);
    if (known && (call.requestId !== undefined || now - known.at < window)) return known;
    const bucket = Math.floor(now / window);
    const rerun = this.#reruns.get(digest) ?? 0;
    const key =
      call.requestId === undefined ? hash([digest, String(bucket), String(rerun)]) : digest;
    const made: KnownCall = { key: `mcp-${key}`, at: now, sent: null };
    this.#known.delete(digest);
    this.#known.set(digest, made);
    dropOldest(this.#known);
    dropOldest(this.#reruns);
    return made;
  }

  /** With a request_id the service itself compares the request, and refuses another one under the same id. */
  #digest({ action, request, requestId }: CallIdentity): string {
    return requestId === undefined
      ? hash([this.#principal, action, canonicalJson(request)])
      : hash([this.#principal, 'request_id', requestId]);
  }
}

function dropOldest(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (map.size > MAX_KNOWN && oldest !== undefined) map.delete(oldest);
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
