import type { Camel, JobState } from '@changgu/contract';
import type { ActionData, ActionParams } from './action-types.ts';

/** A newer service may send a state that is not one of the six. */
export type JobStatus = JobState | (string & {});

/** A job's state when it was read. */
export interface Job extends Omit<Camel.JobReadResponse, 'status'> {
  status: JobStatus;
}

/** Why a job ended FAILED or TIMEOUT. `retryable` refers to a new submission, never to the same key. */
export interface JobFailure extends Camel.JobError {}

/** One page, newest first. */
export interface JobPage extends Omit<Camel.JobListResponse, 'items'> {
  items: Job[];
}

/** A job's timeline, oldest first. */
export interface JobTimeline extends Camel.JobTimelineResponse {}

/** What a submission would do: the chosen link, its cost and the remaining tokens. */
export interface JobValidation extends Camel.JobValidationResponse {}

/** A file of a job. It refers to its job, so that an expired URL can be renewed. */
export interface Artifact extends Camel.Artifact {
  jobId: string;
}

interface ResultFacts {
  jobId: string;
  /** `<action id>.v<N>` */
  schema: string;
  /** Empty when the job produces no file. */
  artifacts: Artifact[];
  /** For jobs that answer with a file instead of data; valid for 15 minutes. */
  downloadUrl: string | null;
  finishedAt: string;
  /** Signed proof of an act that took effect, as a compact JWS; null for everything else. */
  receipt: string | null;
}

/** Result of a job that called the institution. */
export interface InstitutionResult<A extends string> extends ResultFacts {
  sandbox: false;
  /** As on the wire; null when the rows are only in the file. */
  data: ActionData<A> | null;
}

/** Result of a sandbox job: what was sent, without any data of an institution. */
export interface SandboxResult<A extends string> extends ResultFacts {
  sandbox: true;
  data: { mock: true; params_echo: ActionParams<A> };
}

/** Distinguish them by `sandbox`. */
export type JobResult<A extends string = string> = InstitutionResult<A> | SandboxResult<A>;
