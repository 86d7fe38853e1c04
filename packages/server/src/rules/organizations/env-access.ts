import type { RequestDecision } from '@changgu/contract/schemas';
import { DAY_MS } from '../durations.ts';
import { ServiceError } from '../service-error.ts';

/** How organizations get access to real_test. */
export interface EnvAccessSettings {
  /** Approve each request at once: for a server that a single team runs for itself. */
  readonly autoApprove: boolean;
  /** How long an approval is valid; null means forever. */
  readonly demoDays: number | null;
}

/** As in the configuration file, where 0 days means forever. */
export function envAccessSettings(file: {
  readonly auto_approve: boolean;
  readonly demo_days: number;
}): EnvAccessSettings {
  return {
    autoApprove: file.auto_approve,
    demoDays: file.demo_days === 0 ? null : file.demo_days,
  };
}

/** When an organization got access to real_test, and until when. Both null: not approved. */
export interface RealTestApproval {
  readonly realTestApprovedAt: number | null;
  readonly demoEndsAt: number | null;
}

/** The approval granted by a decision at `now`. */
export function approve(now: number, settings: EnvAccessSettings): RealTestApproval {
  const { demoDays } = settings;
  return {
    realTestApprovedAt: now,
    demoEndsAt: demoDays === null ? null : now + demoDays * DAY_MS,
  };
}

/** @throws ServiceError CONFLICT_DUPLICATE while a request is pending or an approval is valid */
export function assertMayAsk(isApproved: boolean, hasPendingRequest: boolean): void {
  if (hasPendingRequest || isApproved) throw new ServiceError('CONFLICT_DUPLICATE');
}

/**
 * Whether a request or application in this state can get this decision. Repeating a decision changes nothing.
 * @throws ServiceError CONFLICT_STATE when the opposite was decided
 */
export function decisionChanges(
  status: 'PENDING' | 'SUBMITTED' | RequestDecision,
  decision: RequestDecision,
): boolean {
  if (status === decision) return false;
  if (status === 'APPROVED' || status === 'REJECTED') throw new ServiceError('CONFLICT_STATE');
  return true;
}
