import { shortageOf } from '../quota/quota.ts';
import { bytesOfJob } from '../quota/storage.ts';
import { ServiceError } from '../service-error.ts';
import {
  decideSubmission,
  type SubmissionDecision,
  type SubmissionFacts,
  type SubmissionRows,
  storageRefusal,
} from './decide-submission.ts';

/** What distinguishes submissions of one batch. */
export interface BatchedRequest extends SubmissionFacts {
  readonly organizationId: number;
  readonly operation: string;
  readonly idempotencyKey: string;
  readonly idempotencyAccount: string;
}

/** `again`: depends on another submission of the batch, so it is decided after that one has committed. */
export type BatchDecision = SubmissionDecision | { readonly kind: 'again' };

/**
 * Decides submissions that share a transaction, each on the rows from before all of them. The answers are
 * the same as one after another: no two accepted ones have the same key or spend the same tokens.
 */
export function decideTogether(
  requests: readonly BatchedRequest[],
  /** For each submission; null when its organization no longer exists. */
  rows: readonly (SubmissionRows | null)[],
): BatchDecision[] {
  const keys = new Set<string>();
  const spent = new Map<string, number>();
  const stored = new Map<number, number>();
  return requests.map((request, n) => {
    const own = rows[n];
    if (!own) return { kind: 'refuse', error: new ServiceError('AUTH_INVALID_CREDENTIALS') };
    if (keys.has(keyOf(request))) return { kind: 'again' };
    const decision = decideSubmission(own, request);
    if (decision.kind !== 'accept') return decision;
    const counted = own.usages.map((usage) => ({ usage, id: usageOf(request, usage.key) }));
    const after = counted.map(({ usage, id }) => ({
      ...usage,
      used: usage.used + (spent.get(id) ?? 0),
    }));
    const { organizationId } = request;
    const added = stored.get(organizationId) ?? 0;
    if (storageRefusal(request, own.storedBytes + added)) return { kind: 'again' };
    if (shortageOf(after, request.usageTokens)) return { kind: 'again' };
    stored.set(organizationId, added + bytesOfJob(request.params));
    keys.add(keyOf(request));
    for (const { id } of counted) spent.set(id, (spent.get(id) ?? 0) + request.usageTokens);
    return decision;
  });
}

function keyOf(request: BatchedRequest): string {
  const { organizationId, envScope, operation, idempotencyKey, idempotencyAccount } = request;
  return JSON.stringify([organizationId, envScope, operation, idempotencyKey, idempotencyAccount]);
}

function usageOf({ organizationId, envScope }: BatchedRequest, period: string): string {
  return `${organizationId} ${envScope} ${period}`;
}
