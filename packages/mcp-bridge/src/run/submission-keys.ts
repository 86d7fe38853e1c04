import { createHash } from 'node:crypto';
import type { PreparedSubmission } from '@changgu/sdk';
import { canonicalJson } from '../canonical-json.ts';

/** What identifies a call. */
export interface CallIdentity {
  readonly action: string;
  /** Everything that is sent to the service, except the accounts. */
  readonly request: unknown;
  /** Of a call on several accounts. */
  readonly accounts?: 'all' | readonly string[];
  /** Chosen by the caller. */
  readonly requestId: string | undefined;
  readonly irreversible: boolean;
}

/** An account of a call on several accounts, as last seen. */
export interface KnownLine {
  readonly accountLinkId: string;
  readonly bankAccountId: string;
  readonly maskedAccountNo: string;
  readonly jobId: string | null;
  readonly status: string;
}

interface KnownCall {
  readonly key: string;
  readonly action: string;
  readonly at: number;
  jobId: string | null;
  /** For a call on several accounts: each account, and its number of earlier runs. */
  readonly lines: Map<string, KnownLine & { readonly run: number }>;
  /** The request as sent, and the submission made from it; null for a call on several accounts. */
  sent: SentRequest | null;
}

interface SentRequest {
  readonly request: string;
  readonly sentAt: number;
  readonly prepared: PreparedSubmission | null;
  /** The service refused it: there is no job. */
  readonly isRefused: boolean;
}

/** A call repeated within this time counts as a retry. */
const WINDOW_MS = { read: 120_000, irreversible: 600_000 } as const;
/** Number of calls remembered; the oldest are forgotten first. */
const MAX_KNOWN_CALLS = 1_000;

/**
 * Idempotency keys of calls: a retry, even after a restart of this process, finds the job of the first
 * attempt. The key is derived from the request_id if there is one, otherwise from the call and the time.
 */
export class SubmissionKeys {
  readonly #principal: string;
  readonly #now: () => number;
  readonly #known = new Map<string, KnownCall>();
  /** What makes the next run of a call a new one. */
  readonly #reruns = new Map<string, string>();
  /** When a login's session was found to be gone. */
  readonly #lostSessions = new Map<string, number>();

  /** @param principal the caller: service, environment and client */
  constructor(principal: string, now: () => number) {
    this.#principal = principal;
    this.#now = now;
  }

  /** The keys of one of several callers. */
  of(caller: string): SubmissionKeys {
    return new SubmissionKeys(JSON.stringify([this.#principal, caller]), this.#now);
  }

  keyFor(call: CallIdentity): string {
    return this.#find(call).key;
  }

  /**
   * What an earlier attempt of this exact request sent, or null. It has to be sent again unchanged:
   * encryption is randomized, and another ciphertext would be another request.
   */
  sentBefore(call: CallIdentity): PreparedSubmission | null {
    return this.#sent(call)?.prepared ?? null;
  }

  /**
   * Whether this exact request has a job, or was sent just now and may have one. What a person agreed to is no longer
   * agreed to once it was refused, or was sent long ago without a known job.
   */
  wasSent(call: CallIdentity): boolean {
    const sent = this.#sent(call);
    if (sent === null || sent.isRefused) return false;
    const { jobId, lines } = this.#find(call);
    const hasJob = jobId !== null || [...lines.values()].some((line) => line.jobId !== null);
    return hasJob || this.#now() - sent.sentAt < windowOf(call);
  }

  rememberSent(call: CallIdentity, prepared: PreparedSubmission | null): void {
    this.#find(call).sent = {
      request: canonicalJson(call.request),
      sentAt: this.#now(),
      prepared,
      isRefused: false,
    };
  }

  /** The service took nothing of the request. */
  rememberRefusal(call: CallIdentity): void {
    const known = this.#find(call);
    if (known.sent !== null) known.sent = { ...known.sent, isRefused: true };
  }

  rememberJob(call: CallIdentity, jobId: string): void {
    this.#find(call).jobId = jobId;
  }

  rememberLine(call: CallIdentity, line: KnownLine): void {
    const { lines } = this.#find(call);
    const { accountLinkId, bankAccountId, maskedAccountNo, jobId, status } = line;
    const run = lines.get(bankAccountId)?.run ?? 0;
    lines.set(bankAccountId, { accountLinkId, bankAccountId, maskedAccountNo, jobId, status, run });
  }

  /** The accounts of a call on several accounts, as last seen. */
  linesOf(call: CallIdentity): readonly KnownLine[] {
    return [...this.#find(call).lines.values()];
  }

  /** The accounts that have a job, under the call's key or that of an earlier run. */
  begunOf(call: CallIdentity): ReadonlySet<string> {
    const begun = [...this.#find(call).lines].filter(
      ([, line]) => line.jobId !== null || line.run > 0,
    );
    return new Set(begun.map(([account]) => account));
  }

  /**
   * Accounts that will run again, by their number of earlier runs.
   * @param onlyBegun leaves out runs that have not begun
   */
  rerunsOf(call: CallIdentity, onlyBegun = false): ReadonlyMap<number, readonly string[]> {
    const reruns = new Map<number, string[]>();
    for (const [account, line] of this.#find(call).lines) {
      const run = onlyBegun && line.jobId === null ? line.run - 1 : line.run;
      if (run > 0) reruns.set(run, [...(reruns.get(run) ?? []), account]);
    }
    return reruns;
  }

  /**
   * The job failed without any effect, and the caller was told: the same call is a new one from now on, also
   * with the same request_id. Counted, not random, so that a process that starts later derives the same keys.
   */
  forgetJob(jobId: string): void {
    for (const [digest, known] of this.#known) {
      for (const [account, line] of known.lines) {
        if (line.jobId !== jobId) continue;
        const next = { jobId: null, status: 'NOT_SUBMITTED', run: line.run + 1 };
        known.lines.set(account, { ...line, ...next });
      }
      if (known.jobId !== jobId) continue;
      this.#known.delete(digest);
      this.#reruns.set(digest, String(Number(this.#reruns.get(digest) ?? 0) + 1));
    }
  }

  /** A session is gone: calling its login again is no longer a retry, even if another process had created it. */
  forgetLogin(action: string): void {
    this.#lostSessions.set(action, this.#now());
    for (const [digest, known] of this.#known) {
      if (known.action === action) this.#known.delete(digest);
    }
  }

  /** A call on some accounts of an earlier call is part of it. */
  #sent(call: CallIdentity): SentRequest | null {
    const { sent, lines } = this.#find(call);
    if (sent?.request !== canonicalJson(call.request)) return null;
    const { accounts = 'all' } = call;
    return accounts === 'all' || accounts.every((id) => lines.has(id)) ? sent : null;
  }

  #find(call: CallIdentity): KnownCall {
    const digest = this.#digest(call);
    const window = windowOf(call);
    const now = this.#now();
    const known = this.#known.get(digest);
    if (known && (call.requestId !== undefined || now - known.at < window)) return known;
    const bucket = Math.floor(now / window);
    const lost = this.#lostSessions.get(call.action);
    const reruns = this.#reruns.get(digest) ?? '0';
    const rerun = lost === undefined ? reruns : `${lost}-${reruns}`;
    const when = call.requestId === undefined ? String(bucket) : 'named';
    const key = `mcp-${hash([digest, when, rerun])}`;
    const made: KnownCall = {
      key,
      action: call.action,
      at: now,
      sent: null,
      jobId: null,
      lines: new Map(),
    };
    this.#known.delete(digest);
    this.#known.set(digest, made);
    dropOldest(this.#known);
    dropOldest(this.#reruns);
    return made;
  }

  /** With a request_id the service itself compares requests, and refuses a different one under the same id. */
  #digest({ action, request, accounts, requestId }: CallIdentity): string {
    return requestId === undefined
      ? hash([this.#principal, action, canonicalJson({ request, accounts })])
      : hash([this.#principal, 'request_id', requestId]);
  }
}

function windowOf({ irreversible }: CallIdentity): number {
  return WINDOW_MS[irreversible ? 'irreversible' : 'read'];
}

function dropOldest(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (map.size > MAX_KNOWN_CALLS && oldest !== undefined) map.delete(oldest);
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
