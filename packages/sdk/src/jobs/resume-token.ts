import { TokenError } from '../errors/local-errors.ts';
import type { JobStatus } from './job.ts';
import { checkToken, type TokenFacts, type TokenHome } from './stored-token.ts';

/** A handle as JSON: what another process needs to continue. Contains no secret, URL or result. */
export interface ResumeToken extends TokenFacts {
  readonly v: 1;
  readonly kind: 'job';
  readonly jobId: string;
  readonly action: string | null;
  readonly idempotencyKey: string | null;
  readonly submittedAt: string | null;
  readonly lastStatus: JobStatus | null;
}

/** @throws TokenError when it is not a token, or belongs to another service, environment or version */
export function readResumeToken(value: unknown, home: TokenHome): ResumeToken {
  const token = typeof value === 'string' ? parseToken(value) : value;
  checkToken<ResumeToken>(token, { kind: 'job', version: 1, shape: { jobId: isJobId } }, home);
  return token;
}

export function isJobId(value: unknown): value is string {
  return typeof value === 'string' && /^job_\w+$/.test(value);
}

function parseToken(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TokenError('Neither a job id nor a job token.');
  }
}
