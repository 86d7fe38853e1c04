import { hash } from 'node:crypto';
import type { EndState, EnvScope } from '@changgu/contract';
import type { ReceiptStatement } from '@changgu/contract/schemas';
import canonicalize from 'canonicalize';
import type { FileFacts } from '../endings/endings.ts';
import { hadEffect } from '../jobs/had-effect.ts';
import { jobErrorOf } from '../jobs/job-error.ts';
import { kstTime } from '../kst.ts';
import { actorNamed } from '../principals/actor.ts';

/** A chain of receipts: those of one organization in one environment. */
export interface ReceiptScope {
  readonly organizationId: number;
  readonly envScope: EnvScope;
}

/** The last receipt of a chain. */
export interface ReceiptHead {
  readonly number: number;
  /** SHA-256 of its compact JWS; null where there is none yet. */
  readonly hash: string | null;
}

export const NO_RECEIPTS: ReceiptHead = { number: 0, hash: null };

/** What a receipt says about its job, without its position in the chain. */
export type ReceiptFacts = Omit<ReceiptStatement, 'iss' | 'number' | 'previous'>;

interface ActedJob {
  readonly id: string;
  readonly organization_id: number;
  readonly env_scope: EnvScope;
  readonly submitted_by: string;
  readonly provider: string;
  readonly action: string;
  readonly account_link_id: string | null;
  /** JSON. */
  readonly params: string;
  readonly idempotency_key: string;
  readonly identity_hash: string;
  readonly submitted_at: number;
  readonly submit_step_at: number;
  readonly finished_at: number;
  readonly status: EndState;
  /** JSON of JobError. */
  readonly error: string | null;
}

/** What is known about an act once its job has ended, without its params and results. */
export function receiptFacts(job: ActedJob, files: readonly FileFacts[]): ReceiptFacts {
  const { kind, id } = actorNamed(job.submitted_by);
  return {
    organization_id: job.organization_id,
    env_scope: job.env_scope,
    job_id: job.id,
    principal: { kind, id },
    provider: job.provider,
    action: job.action,
    account_link_id: job.account_link_id,
    // The result of JSON.parse is JSON, which always has a canonical form.
    params_sha256: sha256(canonicalize(JSON.parse(job.params)) ?? ''),
    request: { idempotency_key: job.idempotency_key, identity_sha256: job.identity_hash },
    submitted_at: kstTime(job.submitted_at),
    point_of_no_return_at: kstTime(job.submit_step_at),
    finished_at: kstTime(job.finished_at),
    outcome: {
      status: job.status,
      error_code: jobErrorOf(job.error)?.code ?? null,
      had_effect: hadEffect({
        status: job.status,
        submitStepAt: job.submit_step_at,
        error: job.error,
      }),
    },
    files: files.map((file) => ({
      artifact_id: file.id,
      content_type: file.contentType,
      size_bytes: file.sizeBytes,
      sha256: file.sha256,
    })),
  };
}

/** The statement at its position, right after `head`. */
export function receiptStatement(facts: ReceiptFacts, head: ReceiptHead): ReceiptStatement {
  return { iss: 'changgu', number: head.number + 1, previous: head.hash, ...facts };
}

/** How the next receipt of the chain refers to this one. */
export function receiptHash(jws: string): string {
  return sha256(jws);
}

function sha256(text: string): string {
  return hash('sha256', text);
}
