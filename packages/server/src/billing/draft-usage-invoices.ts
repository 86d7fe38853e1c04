import { type BilledMonth, usageInvoice } from '../rules/invoices/usage-invoice.ts';
import { nextKstMonth } from '../rules/kst.ts';
import type { Actor } from '../rules/principals/actor.ts';
import type { ConfiguredPlan } from '../rules/quota/plans.ts';
import { invalidValue } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';

interface Dependencies {
  readonly store: Pick<Store, 'usageInvoices'>;
  readonly plans: Readonly<Record<string, ConfiguredPlan>>;
}

const NO_PLAN = { name: '종료된 요금제', price: 0, tokenPrice: 0 };

export interface DraftedInvoices {
  /** The numbers of the invoices drafted now. */
  readonly drafted: readonly string[];
  /** Ids of organizations that have a job of the month in the queue: if it never runs, it gives its tokens back. */
  readonly waiting: readonly number[];
}

/**
 * Drafts the month's invoice for every organization that owes one. Safe to repeat: nothing is drafted twice, and
 * those that wait are drafted once their jobs have run or ended.
 * @param month `YYYYMM`, Korean calendar, in the past
 * @throws ServiceError 400 for a month that is malformed or not over yet
 */
export async function draftUsageInvoices(
  { store, plans }: Dependencies,
  month: string,
  { now, actor }: { readonly now: number; readonly actor: Actor },
): Promise<DraftedInvoices> {
  const billed = billedMonth(month);
  if (billed === null || billed.end > now) {
    const msg = 'Input should be a month YYYYMM that is over in Korea';
    throw invalidValue([{ loc: ['body', 'month'], msg, type: 'value_error' }]);
  }
  // Before the tokens are read, or one of these jobs could end in between and be billed.
  const queued = new Set(await store.usageInvoices.withQueuedJobs(billed));
  const drafted: string[] = [];
  const waiting: number[] = [];
  for (const charged of await store.usageInvoices.chargedMonths(billed)) {
    if (queued.has(charged.organizationId)) {
      waiting.push(charged.organizationId);
      continue;
    }
    const plan = plans[charged.planCode] ?? NO_PLAN;
    const invoice = usageInvoice(charged, plan, billed);
    const number = await store.usageInvoices.draft({ invoice, actor });
    if (number !== null) drafted.push(number);
  }
  return { drafted, waiting };
}

function billedMonth(text: string): BilledMonth | null {
  if (!/^20\d\d(0[1-9]|1[0-2])$/.test(text)) return null;
  const month = `${text.slice(0, 4)}-${text.slice(4)}`;
  const start = Date.parse(`${month}-01T00:00:00.000+09:00`);
  return { month, start, end: nextKstMonth(start) };
}
