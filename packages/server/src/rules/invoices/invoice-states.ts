import { ServiceError } from '../service-error.ts';

export type InvoiceStatus =
  | 'DRAFT'
  | 'OPEN'
  | 'PAID'
  | 'VOID'
  | 'UNCOLLECTIBLE'
  | 'REFUNDED'
  | 'PARTIALLY_REFUNDED';

/** The allowed state changes of an invoice. */
const MOVES: Readonly<Record<InvoiceStatus, readonly InvoiceStatus[]>> = {
  DRAFT: ['OPEN', 'VOID'],
  OPEN: ['PAID', 'VOID', 'UNCOLLECTIBLE'],
  UNCOLLECTIBLE: ['PAID', 'VOID'],
  PAID: ['PARTIALLY_REFUNDED', 'REFUNDED'],
  PARTIALLY_REFUNDED: ['PARTIALLY_REFUNDED', 'REFUNDED'],
  REFUNDED: [],
  VOID: [],
};

export function mayMove(from: InvoiceStatus, to: InvoiceStatus): boolean {
  return MOVES[from].includes(to);
}

/** @throws ServiceError CONFLICT_STATE */
export function assertInvoiceMayMove(from: InvoiceStatus, to: InvoiceStatus): void {
  if (!mayMove(from, to)) throw new ServiceError('CONFLICT_STATE');
}

interface Paid {
  readonly status: InvoiceStatus;
  /** Won. */
  readonly total: number;
  readonly refunded: number;
}

/**
 * The effect of a refund on an invoice.
 * @param amount won; null for everything that is not refunded yet
 * @throws ServiceError CONFLICT_STATE when it was not paid, or less is left
 */
export function refund(
  { status, total, refunded }: Paid,
  amount: number | null,
): { readonly status: 'REFUNDED' | 'PARTIALLY_REFUNDED'; readonly refunded: number } {
  const after = refunded + (amount ?? total - refunded);
  const to = after === total ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  assertInvoiceMayMove(status, to);
  if (after <= total) return { status: to, refunded: after };
  throw new ServiceError('CONFLICT_STATE', {
    message: {
      ko: `환불할 수 있는 금액은 ${total - refunded}원입니다.`,
      en: `At most ${total - refunded} won can be refunded.`,
    },
  });
}
