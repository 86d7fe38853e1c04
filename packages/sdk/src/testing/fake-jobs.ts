import { type Effect, type EnvScope, isEndState, type JobState } from '@changgu/contract';
import { ERRORS, isErrorCode } from '@changgu/contract/errors';
import type { ActionData } from '../jobs/action-types.ts';
import { FakeRefusal, kstTime } from './fake-answer.ts';
import { FAKE_PROGRESS } from './fake-progress.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** How a job will go. */
export interface Fate {
  readonly state: 'SUCCEEDED' | 'FAILED' | 'TIMEOUT' | 'CANCELED';
  /** Code of FAILED and TIMEOUT. */
  readonly code?: string | undefined;
  /** What the ended job says of its effect. @default 'no' */
  readonly hadEffect?: Effect | undefined;
  /** Milliseconds of virtual time in QUEUED, and in RUNNING after that. @default 100 and 1000 */
  readonly queuedMs?: number | undefined;
  readonly runningMs?: number | undefined;
  /** `result.data`; absent: the sandbox echo. */
  readonly data?: unknown;
  readonly files?: readonly FakeFile[] | undefined;
}

/** How a job of one action will go: its data has the fields of the action. */
export interface FateOf<A extends string> extends Fate {
  readonly data?: Incomplete<ActionData<A>> | null | undefined;
}

/** What a test does not look at may be left out. */
type Incomplete<T> = T extends readonly (infer Item)[]
  ? readonly Incomplete<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]?: Incomplete<T[Name]> | undefined }
    : T;

export interface FakeFile {
  readonly name: string;
  readonly contentType?: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface FakeSubmission {
  readonly envScope: EnvScope;
  readonly provider: string;
  readonly action: string;
  readonly accountLinkId: string | null;
  readonly params: Record<string, unknown>;
  readonly encryptedFields: Record<string, string>;
}

/** A job of the fake. Its state follows from virtual time. */
export interface FakeJob extends FakeSubmission {
  readonly id: string;
  readonly submittedAt: number;
  readonly fate: Fate;
  canceledAt: number | null;
  artifactsDeleted: boolean;
}

const RETRY_AFTER_SECONDS = { QUEUED: 3, RUNNING: 2 };

/** The jobs of the fake service. */
export class FakeJobs {
  readonly all: FakeJob[] = [];
  readonly #clock: VirtualClock;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  add(submission: FakeSubmission, fate: Fate): FakeJob {
    const job: FakeJob = {
      ...submission,
      id: `job_${ulidLike(this.all.length + 1)}`,
      submittedAt: this.#clock.now(),
      fate,
      canceledAt: null,
      artifactsDeleted: false,
    };
    this.all.push(job);
    return job;
  }

  /** A job of this environment. */
  find(id: string, envScope: string): FakeJob {
    const job = this.all.find((candidate) => candidate.id === id);
    if (!job || job.envScope !== envScope) throw new FakeRefusal('JOB_NOT_FOUND');
    return job;
  }

  stateOf(job: FakeJob): JobState {
    const { started, finished } = times(job);
    const now = this.#clock.now();
    if (job.canceledAt !== null) return 'CANCELED';
    if (now >= finished) return job.fate.state;
    return now >= started ? 'RUNNING' : 'QUEUED';
  }

  /** Milliseconds until the state changes by itself; null after the end. */
  untilChange(job: FakeJob): number | null {
    const state = this.stateOf(job);
    if (isEndState(state)) return null;
    const { started, finished } = times(job);
    return (state === 'QUEUED' ? started : finished) - this.#clock.now();
  }

  cancel(job: FakeJob): void {
    const state = this.stateOf(job);
    if (state === 'CANCELED') return;
    if (isEndState(state)) throw new FakeRefusal('JOB_ALREADY_FINISHED');
    job.canceledAt = this.#clock.now();
  }

  /** GET /v1/jobs/{job_id}. */
  read(job: FakeJob) {
    const state = this.stateOf(job);
    const { started, finished } = times(job);
    const ended = isEndState(state);
    const end = job.canceledAt ?? finished;
    return {
      job_id: job.id,
      status: state,
      env_scope: job.envScope,
      provider: job.provider,
      action: job.action,
      submitted_at: kstTime(job.submittedAt),
      started_at: state === 'QUEUED' || end < started ? null : kstTime(started),
      finished_at: ended ? kstTime(end) : null,
      retry_count: 0,
      progress: ended ? 100 : state === 'QUEUED' ? 25 : 30,
      progress_message: ended ? null : FAKE_PROGRESS[state === 'QUEUED' ? 'QUEUED' : 'RUNNING'].ko,
      retry_after_seconds: ended
        ? null
        : RETRY_AFTER_SECONDS[state === 'QUEUED' ? 'QUEUED' : 'RUNNING'],
      error: errorOf(state, job.fate),
      had_effect: ended ? (job.fate.hadEffect ?? 'no') : 'no',
    };
  }
}

function times({ submittedAt, fate }: FakeJob): { started: number; finished: number } {
  const started = submittedAt + (fate.queuedMs ?? 100);
  return { started, finished: started + (fate.runningMs ?? 1000) };
}

function errorOf(state: JobState, fate: Fate) {
  if (state !== 'FAILED' && state !== 'TIMEOUT') return null;
  const code = fate.code ?? (state === 'TIMEOUT' ? 'JOB_TIMEOUT' : 'PROVIDER_UPSTREAM_ERROR');
  const known = isErrorCode(code) ? ERRORS[code] : null;
  return {
    code,
    message: known?.ko ?? null,
    retryable: known?.retryable ?? false,
    provider_error_ref: null,
    upstream_status: null,
  };
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 26 characters in the alphabet of a ULID, ascending. */
export function ulidLike(count: number): string {
  let text = '';
  for (let rest = count, index = 0; index < 10; index++, rest = Math.floor(rest / 32)) {
    text = `${CROCKFORD[rest % 32]}${text}`;
  }
  return `01JD000000000000${text}`;
}
