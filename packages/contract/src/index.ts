/** The API of Changgu as plain types and tables: no dependencies, no I/O. */

export type * from './action.ts';
export * from './action-rules.ts';
export * from './addresses/loopback.ts';
export * from './all-accounts.ts';
export * from './calendar.ts';
export * from './environment.ts';
// Imported directly, because bundles that need no error table would otherwise include it.
export {
  inTermsOf,
  NEXT_STEP_TERMS,
  type NextStep,
  type NextStepKind,
  type NextStepTerms,
  step as nextStep,
} from './errors/next-step.ts';
export * from './errors/next-step-of.ts';
// Its values are in `@changgu/contract/errors`: the table is larger than all the rest.
export type { ErrorCode } from './errors.ts';
export * from './events.ts';
export type * from './generated/actions.ts';
export type * as Camel from './generated/camel.ts';
export type { CamelOperations } from './generated/camel-operations.ts';
export type * from './generated/operations.ts';
export type * from './generated/wire.ts';
export * from './idempotency/reruns.ts';
export * from './json-object.ts';
export type * from './json-schema.ts';
export * from './limits.ts';
export * from './names/opaque-names.ts';
export * from './names/sensitive-name.ts';
export * from './principals.ts';
export * from './search/search-form.ts';
export type { AuditAct } from './texts/audit-acts.ts';
export * from './values/invoice-statuses.ts';
export * from './values/job-states.ts';
export * from './values/unlink-reasons.ts';
export * from './webhooks.ts';
