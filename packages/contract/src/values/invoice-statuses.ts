/** Invoice states. */
export const INVOICE_STATUSES = [
  'DRAFT',
  'OPEN',
  'PAID',
  'VOID',
  'UNCOLLECTIBLE',
  'REFUNDED',
  'PARTIALLY_REFUNDED',
] as const;
