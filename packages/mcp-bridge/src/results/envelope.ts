import type { Job } from '@changgu/sdk';
import type { ShownFileName, UntrustedText } from '@changgu/sdk/catalogue';
import type { ArgumentProblem } from '../tools/check-arguments.ts';

/** The call that leads on. */
export interface NextStep {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly why: string;
}

/** What went wrong, and what to do about it. `message` is from our own table; words of others are in `detail`. */
export interface ErrorInfo {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly next_action: string;
  /** What only a person can do, to be told to them. */
  readonly user_action?: string;
  readonly detail?: UntrustedText;
  /** The arguments that are not valid. */
  readonly fields?: readonly ArgumentProblem[];
}

/** A file of a job. */
export interface SavedFile extends ShownFileName {
  /** Where `resources/read` reads it; absent once it has expired. */
  readonly uri?: string;
  /** Where it lies on the machine of the host, as a file URL. */
  readonly saved_as?: string;
  readonly mime_type: string;
  readonly size_bytes: number | null;
}

/** How far a job is, and when it is worth while to ask again. */
export interface JobProgress {
  readonly percent?: number;
  readonly message: string;
  readonly retry_after_seconds: number;
}

/** Every answer of every tool. Absent instead of null. */
export interface Envelope {
  /** OK, a job state, or CONFIRMATION_REQUIRED, DECLINED, REFUSED. */
  readonly status: string;
  readonly job_id?: string;
  readonly service?: string;
  readonly as_of: string;
  readonly deduplicated?: true;
  /** Of a job that ended without a result: whether it changed anything at the institution all the same. */
  readonly had_effect?: Job['hadEffect'];
  /** Of a job that has not ended. */
  readonly progress?: JobProgress;
  readonly data?: unknown;
  readonly files?: readonly SavedFile[];
  readonly warnings?: readonly string[];
  readonly next?: readonly NextStep[];
  readonly error?: ErrorInfo;
}

/**
 * What a reader has to know of an envelope, in the part of JSON Schema that every host takes (anchors: compatibility
 * traps 6 to 8). It is repeated for every tool and costs tokens there: the instructions tell the rest.
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

/** True when the call did not do what was asked and nothing is under way. */
export function isFailure({ status }: Envelope): boolean {
  return ['FAILED', 'TIMEOUT', 'CANCELED', 'REFUSED', 'DECLINED'].includes(status);
}
