/** An act and its subject. `details` never contains secrets or personal data. */
export interface Act {
  readonly organizationId: number | null;
  /** `<subject>.<verb>` */
  readonly act: string;
  readonly target?: string;
  readonly details?: Readonly<Record<string, string | number | boolean | null>>;
}
