import type { NextStep } from './next-step.ts';

/** Where an error code can occur: in an HTTP answer, in `job.error`, or only in the tool protocol. */
export type ErrorSurface = 'http' | 'job' | 'tool';

export interface ErrorDefinition {
  /** HTTP status when the code answers a request; null when it only ever appears in `job.error`. */
  readonly status: number | null;
  /** Whether the same work may be tried again (with a new Idempotency-Key). Always false for irreversible actions. */
  readonly retryable: boolean;
  readonly where: readonly ErrorSurface[];
  readonly ko: string;
  readonly en: string;
  /** The next step. The texts above say only what happened. */
  readonly nextStep: NextStep;
}

/* @__NO_SIDE_EFFECTS__ */
export function defineErrors<const Table extends Record<string, ErrorDefinition>>(
  table: Table,
): Table {
  return table;
}

export const http = ['http'] as const;
export const job = ['job'] as const;
export const both = ['http', 'job'] as const;
