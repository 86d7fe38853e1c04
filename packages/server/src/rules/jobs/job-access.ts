import type { EnvScope } from '@changgu/contract';

/** Whose jobs a caller sees: those of its organization in the environment of the call, else 404. */
export interface JobAccess {
  readonly organizationId: number;
  readonly envScope: EnvScope;
  /** Only jobs that this submitter made; null = all of the organization. */
  readonly submittedBy: string | null;
  /** Only jobs of actions that these patterns match; null or left out = of any. */
  readonly actions?: readonly string[] | null;
}
