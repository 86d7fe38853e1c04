import type { JobStatus } from './job.ts';
import { checkToken, type TokenFacts, type TokenHome } from './stored-token.ts';

/** A handle as JSON: what another process needs to go on. No secret, no URL, no result. */
export interface ResumeToken extends TokenFacts {
  readonly v: 1;
  readonly kind: 'job';
  readonly jobId: string;
  readonly action: string | null;
  readonly idempotencyKey: string | null;
  readonly submittedAt: string | null;
  readonly lastStatus: JobStatus | null;
}

/** @throws TokenError when it belongs to another service, environment or version */
export function readResumeToken(value: unknown, home: TokenHome): ResumeToken {
  checkToken<ResumeToken>(value, { kind: 'job', version: 1, texts: ['jobId'] }, home);
  return value;
}
