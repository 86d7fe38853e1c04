import type { EnvScope } from '@changgu/contract';

/** The jobs that a caller sees: those of its organization in the call's environment; all others are 404. */
export interface JobAccess {
  readonly organizationId: number;
  readonly envScope: EnvScope;
  /** Only jobs that this submitter made; null = all of the organization. */
  readonly submittedBy: string | null;
  /** Only jobs of actions that these patterns match; null or omitted = any. */
  readonly actions?: readonly string[] | null;
}
