import type { InvoiceItemRequest } from '@changgu/contract/schemas';
import { invalidShape } from '../service-error.ts';

/** One-time items have no period; a discount has the period of the discounted item. */
const WITHOUT_PERIOD = new Set(['ONE_TIME', 'TAX_ADJUSTMENT']);

/**
 * Only subscription-like items have a period.
 * @throws ServiceError 422
 */
export function checkPeriods(items: readonly InvoiceItemRequest[]): void {
  const violations = items.flatMap((item, index) =>
    (['period_start', 'period_end'] as const)
      .filter((field) => WITHOUT_PERIOD.has(item.item_kind) && typeof item[field] === 'string')
      .map((field) => ({
        loc: ['body', 'items', index, field],
        msg: `An item of kind ${item.item_kind} has no period`,
        type: 'value_error',
      })),
  );
  if (violations.length > 0) throw invalidShape(violations);
}
