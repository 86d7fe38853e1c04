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
  PARTIALLY_REFUNDED: ['REFUNDED'],
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
 * The effect of a refund on an invoice. After a part, only the whole rest can follow.
 * @param amount won; null for everything that is not refunded yet
 * @throws ServiceError CONFLICT_STATE when it was not paid, or the amount is not what is left
 */
export function refund(
  { status, total, refunded }: Paid,
  amount: number | null,
): { readonly status: 'REFUNDED' | 'PARTIALLY_REFUNDED'; readonly refunded: number } {
  assertInvoiceMayMove(status, 'REFUNDED');
  const rest = total - refunded;
  const refunding = amount ?? rest;
  const to = refunding === rest ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  if (refunding <= rest && mayMove(status, to))
    return { status: to, refunded: refunded + refunding };
  throw new ServiceError('CONFLICT_STATE', {
    message:
      status === 'PAID'
        ? {
            ko: `환불할 수 있는 금액은 ${rest}원입니다.`,
            en: `At most ${rest} won can be refunded.`,
          }
        : {
            ko: `일부가 이미 환불되었습니다. 남은 ${rest}원을 한 번에 환불하십시오.`,
            en: `A part has been refunded already. Refund the remaining ${rest} won at once.`,
          },
  });
}
