/** What is done, to whom. `details` never holds a secret or a personal datum. */
export interface Act {
  readonly organizationId: number | null;
  /** `<subject>.<verb>` */
  readonly act: string;
  readonly target?: string;
  readonly details?: Readonly<Record<string, string | number | boolean | null>>;
}
