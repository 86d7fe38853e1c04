import { addDays, countDays, countMonths, parseDay, startOfQuarter } from './calendar.ts';

/**
 * One violated rule, as `error.fields` shows it. `loc` is relative to params.
 * @see docs/specification/errors.md#d54
 */
export interface ParamsViolation {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: 'missing' | 'value_error';
}

type Params = Readonly<Record<string, unknown>>;
type Rule = (params: Params, today: string) => readonly ParamsViolation[];

/**
 * Longest period of a search, in days.
 * @see docs/specification/institutions.md#d76
 */
export const MAX_PERIOD_DAYS = 366;
/**
 * Longest range of submission months.
 * @see docs/specification/institutions.md#d83
 * @see docs/specification/institutions.md#d155
 */
export const MAX_PERIOD_MONTHS = 12;

export interface Period {
  /** YYYYMMDD */
  readonly from: string;
  /** YYYYMMDD */
  readonly to: string;
}

/**
 * The period of a bank history with its defaults: until today, 30 days in total.
 * @param today Korean date of the acceptance, YYYYMMDD
 */
export function bankPeriod(params: Params, today: string): Period {
  const to = dayOf(params, 'to_date') ?? today;
  return { from: dayOf(params, 'from_date') ?? addDays(to, -29), to };
}

/**
 * The period of the invoice summary with its defaults: the current quarter until today.
 * @see docs/specification/institutions.md#d155
 */
export function invoicePeriod(params: Params, today: string): Period {
  const to = dayOf(params, 'end_date') ?? today;
  return { from: dayOf(params, 'start_date') ?? startOfQuarter(to), to };
}

/**
 * The rules for an action's params that a schema cannot express. Call it after the schema has accepted them.
 * @param todayKst Korean date of the acceptance, YYYYMMDD
 * @returns violations, in the order of the rules; empty when there are none
 */
export function checkActionRules(
  actionId: string,
  params: Params,
  todayKst: string,
): readonly ParamsViolation[] {
  return RULES.get(actionId)?.(params, todayKst) ?? [];
}

/** Whether the action has such rules at all, so that the params of most actions need not be parsed again. */
export function hasActionRules(actionId: string): boolean {
  return RULES.has(actionId);
}

/**
 * `query` is an alias of `srch_txt`. If both are given and differ, the answer is 400 before anything else is checked.
 * @see docs/specification/submission.md#d35
 */
export function checkAliases(actionId: string, params: Params): readonly ParamsViolation[] {
  const { query, srch_txt } = params;
  if (!actionId.startsWith('si_edi.') || query === undefined || srch_txt === undefined) return [];
  if (query === srch_txt) return [];
  return [violation('query', 'query is an alias of srch_txt and must not differ from it')];
}

const history: Rule = (params, today) => {
  const wrong = [...checkDay(params, 'from_date'), ...checkDay(params, 'to_date')];
  if (wrong.length > 0) return wrong;
  const { from, to } = bankPeriod(params, today);
  if (to > today) return [violation('to_date', 'to_date must not be in the future')];
  return checkPeriod({ from, to }, 'from_date', 'to_date');
};

const rules: Readonly<Record<string, Rule>> = {
  'bank_b.accounts.transaction_history.search': history,
  'bank_c.accounts.transaction_history.search': history,
  'bank_d.accounts.transaction_history.search': history,

  'employment.auth.npki_session.login'({ member_type_code, isoa_no }) {
    if (member_type_code !== 'BE902' || isoa_no !== undefined) return [];
    return [{ loc: ['isoa_no'], msg: 'Field required', type: 'missing' }];
  },

  'tax_portal.e1.invoice_summary'(params, today) {
    const wrong = [...checkDay(params, 'start_date'), ...checkDay(params, 'end_date')];
    if (wrong.length > 0) return wrong;
    return checkPeriod(invoicePeriod(params, today), 'start_date', 'end_date');
  },

  'tax_portal.t1.credit_card_sales_data'({ qrt_from, qrt_to }) {
    if (Number(qrt_from) <= Number(qrt_to)) return [];
    return [violation('qrt_to', 'qrt_to must not be before qrt_from')];
  },

  'tax_portal.t1.payment_statement_submit_history'({ sbms_ym_strt, sbms_ym_end }) {
    const months = countMonths(String(sbms_ym_strt), String(sbms_ym_end));
    if (months < 1)
      return [violation('sbms_ym_end', 'sbms_ym_end must not be before sbms_ym_strt')];
    if (months <= MAX_PERIOD_MONTHS) return [];
    return [
      violation('sbms_ym_end', `At most ${MAX_PERIOD_MONTHS} months can be searched at once`),
    ];
  },
};

const RULES = /* @__PURE__ */ new Map(Object.entries(rules));

function checkDay(params: Params, name: string): readonly ParamsViolation[] {
  if (params[name] === undefined || dayOf(params, name) !== null) return [];
  return [violation(name, `${name} is not a day of the calendar`)];
}

function checkPeriod(
  { from, to }: Period,
  first: string,
  last: string,
): readonly ParamsViolation[] {
  if (from > to) return [violation(last, `${last} must not be before ${first}`)];
  if (countDays(from, to) <= MAX_PERIOD_DAYS) return [];
  return [violation(first, `At most ${MAX_PERIOD_DAYS} days can be searched at once`)];
}

function dayOf(params: Params, name: string): string | null {
  const value = params[name];
  return typeof value === 'string' ? parseDay(value) : null;
}

function violation(name: string, message: string): ParamsViolation {
  return { loc: [name], msg: `Value error, ${message}`, type: 'value_error' };
}
