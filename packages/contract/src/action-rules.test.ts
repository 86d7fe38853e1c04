import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bankPeriod,
  checkActionRules,
  checkAliases,
  hasActionRules,
  invoicePeriod,
} from './action-rules.ts';
import { addDays, countDays, countMonths, parseDay, startOfQuarter } from './calendar.ts';

const TODAY = '20261121';
const HISTORY = 'bank_b.accounts.transaction_history.search';
const LOGIN = 'employment.auth.npki_session.login';
const INVOICES = 'tax_portal.e1.invoice_summary';
const CARDS = 'tax_portal.t1.credit_card_sales_data';
const SUBMISSIONS = 'tax_portal.t1.payment_statement_submit_history';

const wrong = (action: string, params: Record<string, unknown>) =>
  checkActionRules(action, params, TODAY).map(({ loc, type }) => `${loc.join('.')} ${type}`);

describe('calendar', () => {
  it('knows which days exist', () => {
    expect(parseDay('2024-02-29')).toBe('20240229');
    expect(parseDay('20240229')).toBe('20240229');
    for (const text of ['20230229', '2026-11-31', '20261301', '20260100', '2026-1121', '']) {
      expect(parseDay(text), text).toBeNull();
    }
  });

  it('adding days and counting them agree', () => {
    const day = fc.date({
      min: new Date('2000-01-01'),
      max: new Date('2099-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 4000 }), (date, days) => {
        const from = date.toISOString().slice(0, 10).replaceAll('-', '');
        expect(countDays(from, addDays(from, days))).toBe(days + 1);
      }),
    );
  });

  it('counts months over the year and finds the quarter', () => {
    expect(countMonths('202511', '202602')).toBe(4);
    expect(startOfQuarter('20261121')).toBe('20261001');
    expect(startOfQuarter('20260331')).toBe('20260101');
  });
});

describe('rules of bank histories', () => {
  it('the default is the last 30 days, both ends counted (D76)', () => {
    expect(bankPeriod({}, TODAY)).toEqual({ from: '20261023', to: TODAY });
    expect(bankPeriod({ to_date: '2026-01-30' }, TODAY)).toEqual({
      from: '20260101',
      to: '20260130',
    });
    expect(wrong(HISTORY, {})).toEqual([]);
  });

  it('at most 366 days, in order, not in the future (D76)', () => {
    const longest = addDays(TODAY, -365);
    expect(wrong(HISTORY, { from_date: longest })).toEqual([]);
    expect(wrong(HISTORY, { from_date: addDays(longest, -1) })).toEqual(['from_date value_error']);
    expect(wrong(HISTORY, { from_date: '20261102', to_date: '20261101' })).toEqual([
      'to_date value_error',
    ]);
    expect(wrong(HISTORY, { to_date: TODAY })).toEqual([]);
    expect(wrong(HISTORY, { to_date: '2026-11-22' })).toEqual(['to_date value_error']);
    expect(wrong(HISTORY, { from_date: '20260231', to_date: '20261301' })).toEqual([
      'from_date value_error',
      'to_date value_error',
    ]);
  });
});

describe('rules of the employment portal', () => {
  it('isoa_no is demanded only with BE902 (R50)', () => {
    expect(wrong(LOGIN, {})).toEqual([]);
    expect(wrong(LOGIN, { member_type_code: 'BE904' })).toEqual([]);
    expect(wrong(LOGIN, { member_type_code: 'BE902' })).toEqual(['isoa_no missing']);
    expect(wrong(LOGIN, { member_type_code: 'BE902', isoa_no: '7' })).toEqual([]);
    expect(wrong(LOGIN, { isoa_no: '7' })).toEqual([]);
  });
});

describe('rules of the tax portal', () => {
  it('quarters in order, as numbers or as digits (R126)', () => {
    expect(wrong(CARDS, { qrt_from: 1, qrt_to: '4' })).toEqual([]);
    expect(wrong(CARDS, { qrt_from: '2', qrt_to: 2 })).toEqual([]);
    expect(wrong(CARDS, { qrt_from: '4', qrt_to: 1 })).toEqual(['qrt_to value_error']);
  });

  it('submission months in order, at most 12 (D155)', () => {
    const range = (sbms_ym_strt: string, sbms_ym_end: string) => ({ sbms_ym_strt, sbms_ym_end });
    expect(wrong(SUBMISSIONS, range('202512', '202611'))).toEqual([]);
    expect(wrong(SUBMISSIONS, range('202511', '202611'))).toEqual(['sbms_ym_end value_error']);
    expect(wrong(SUBMISSIONS, range('202611', '202610'))).toEqual(['sbms_ym_end value_error']);
  });

  it('the invoice summary takes the current quarter unless told (D155)', () => {
    expect(invoicePeriod({}, TODAY)).toEqual({ from: '20261001', to: TODAY });
    expect(wrong(INVOICES, {})).toEqual([]);
    expect(wrong(INVOICES, { start_date: '20260701', end_date: '20260630' })).toEqual([
      'end_date value_error',
    ]);
    expect(wrong(INVOICES, { start_date: '20250101' })).toEqual(['start_date value_error']);
  });
});

describe('aliases', () => {
  const list = 'si_edi.b1.resources.faqs.list';
  it('query and srch_txt may both stand only when they are equal (D35)', () => {
    expect(checkAliases(list, { query: 'a' })).toEqual([]);
    expect(checkAliases(list, { query: 'a', srch_txt: 'a' })).toEqual([]);
    expect(checkAliases(list, { query: 'a', srch_txt: 'b' })).toMatchObject([{ loc: ['query'] }]);
    expect(checkAliases('bank_b.accounts.list', { query: 'a', srch_txt: 'b' })).toEqual([]);
  });

  it('an action without rules has none', () => {
    expect(checkActionRules('own_bank.anything', { from_date: 'x' }, TODAY)).toEqual([]);
    expect(checkActionRules('toString', {}, TODAY)).toEqual([]);
    expect(hasActionRules('toString')).toBe(false);
    expect(hasActionRules(INVOICES)).toBe(true);
  });
});
