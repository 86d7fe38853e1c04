import type { Job } from '@changgu/sdk';
import type { ShownFileName, UntrustedText } from '@changgu/sdk/catalogue';
import type { ArgumentProblem } from '../tools/check-arguments.ts';

/** The call that continues. */
export interface NextStep {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly why: string;
}

/** What went wrong, and what to do about it. `message` is from our own table; others' text is in `detail`. */
export interface ErrorInfo {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly next_action: string;
  /** What only a person can do; the model passes it on. */
  readonly user_action?: string;
  readonly detail?: UntrustedText;
  /** The invalid arguments. */
  readonly fields?: readonly ArgumentProblem[];
}

/** A file of a job. */
export interface SavedFile extends ShownFileName {
  /** Its address for `resources/read`; absent once it has expired. */
  readonly uri?: string;
  /** Its path on the host's machine, as a file URL. */
  readonly saved_as?: string;
  readonly mime_type: string;
  readonly size_bytes: number | null;
}

/** A job's progress, and when to ask again. */
export interface JobProgress {
  readonly percent?: number;
  readonly message: string;
  readonly retry_after_seconds: number;
}

/** The answer of every tool. Fields are absent instead of null. */
export interface Envelope {
  /** OK, a job state, or CONFIRMATION_REQUIRED, DECLINED, REFUSED. */
  readonly status: string;
  readonly job_id?: string;
  readonly service?: string;
  readonly as_of: string;
  readonly deduplicated?: true;
  /** For a job that ended without a result: whether it still changed anything at the institution. */
  readonly had_effect?: Job['hadEffect'];
  /** For an unfinished job. */
  readonly progress?: JobProgress;
  readonly data?: unknown;
  readonly files?: readonly SavedFile[];
  readonly warnings?: readonly string[];
  readonly next?: readonly NextStep[];
  readonly error?: ErrorInfo;
}

/**
 * What a reader must know about an envelope, in the part of JSON Schema that every host supports.
 * It is repeated for every tool and costs tokens, so the instructions explain the rest.
 */
export const ENVELOPE_SCHEMA = {
  type: 'object' as const,
  properties: {
    status: { type: 'string' },
    job_id: { type: 'string' },
    data: { type: 'object' },
    next: { type: 'array', items: { type: 'object' } },
    error: { type: 'object' },
  },
  required: ['status'],
};

/** True when the call did not do what was requested and nothing is in progress. */
export function isFailure({ status }: Envelope): boolean {
  return ['FAILED', 'TIMEOUT', 'CANCELED', 'REFUSED', 'DECLINED'].includes(status);
}
