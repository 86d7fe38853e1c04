import type { AuditAct } from '@changgu/contract';

/** An act and its subject. `details` never contains secrets or personal data. */
export interface Act {
  readonly organizationId: number | null;
  /** `<subject>.<verb>`, with its text in the contract. */
  readonly act: AuditAct;
  readonly target?: string;
  readonly details?: Readonly<Record<string, string | number | boolean | null>>;
}
