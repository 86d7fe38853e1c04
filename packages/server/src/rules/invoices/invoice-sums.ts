import { type FieldViolation, invalidShape } from '../service-error.ts';

export type InvoiceItemKind = 'SUBSCRIPTION' | 'USAGE' | 'ONE_TIME' | 'DISCOUNT' | 'TAX_ADJUSTMENT';

interface Item {
  readonly quantity: number;
  readonly unit_amount_minor: number;
  readonly amount_minor: number;
  readonly item_kind: InvoiceItemKind;
}

interface Sums {
  readonly subtotal_amount_minor: number;
  readonly tax_amount_minor: number;
  readonly total_amount_minor: number;
  readonly items: readonly Item[];
}

/** Won of the items before tax: discounts are positive and subtracted. */
export function subtotalOf(items: readonly Pick<Item, 'amount_minor' | 'item_kind'>[]): number {
  return items.reduce((sum, { amount_minor: amount, item_kind: kind }) => {
    if (kind === 'TAX_ADJUSTMENT') return sum;
    return kind === 'DISCOUNT' ? sum - amount : sum + amount;
  }, 0);
}

/**
 * Refuses a record whose sums are inconsistent. An invoice without items only states its sums.
 * @throws ServiceError 422
 */
export function checkSums(invoice: Sums): void {
  const violations = [...itemViolations(invoice.items), ...totalViolations(invoice)];
  if (violations.length > 0) throw invalidShape(violations);
}

function itemViolations(items: readonly Item[]): FieldViolation[] {
  return items.flatMap(({ quantity, unit_amount_minor: unit, amount_minor: amount }, index) =>
    amount === quantity * unit
      ? []
      : [wrong(['items', index, 'amount_minor'], 'quantity times unit_amount_minor')],
  );
}

function totalViolations(invoice: Sums): FieldViolation[] {
  const { items, subtotal_amount_minor: subtotal, tax_amount_minor: tax } = invoice;
  const violations: FieldViolation[] = [];
  if (invoice.total_amount_minor !== subtotal + tax) {
    violations.push(wrong(['total_amount_minor'], 'subtotal_amount_minor plus tax_amount_minor'));
  }
  if (items.length === 0) return violations;
  if (subtotal !== subtotalOf(items)) {
    violations.push(wrong(['subtotal_amount_minor'], 'the items less the discounts'));
  }
  const adjustments = items
    .filter(({ item_kind: kind }) => kind === 'TAX_ADJUSTMENT')
    .reduce((sum, { amount_minor: amount }) => sum + amount, 0);
  if (tax < adjustments) {
    violations.push(wrong(['tax_amount_minor'], 'at least the tax adjustments'));
  }
  return violations;
}

function wrong(loc: readonly (string | number)[], expected: string): FieldViolation {
  return { loc: ['body', ...loc], msg: `Value should be ${expected}`, type: 'value_error' };
}
