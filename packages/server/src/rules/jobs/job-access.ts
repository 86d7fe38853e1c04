import type { EnvScope } from '@changgu/contract';
import { matchesAction } from '../principals/allowed-action.ts';

/** The jobs that a caller sees: those of its organization in the call's environment; all others are 404. */
export interface JobAccess {
  readonly organizationId: number;
  readonly envScope: EnvScope;
  /** Only jobs that this submitter made; null = all of the organization. */
  readonly submittedBy: string | null;
  /** Only jobs of actions that these patterns match; null or omitted = any. */
  readonly actions?: readonly string[] | null;
}

/**
 * Whether a caller sees this job of its organization and environment. The store's `visible` is the same as a condition
 * of a statement: change both.
 */
export function mayAccess(
  job: { readonly action: string; readonly submittedBy: string },
  { submittedBy, actions }: JobAccess,
): boolean {
  if (submittedBy !== null && submittedBy !== job.submittedBy) return false;
  return matchesAction(actions ?? null, job.action);
}
