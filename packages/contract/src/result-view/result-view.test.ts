import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelTokens as tokens } from '../../test/model-tokens.ts';
import { modelSize } from './model-size.ts';
import { RESULT_BUDGET as BUDGET, viewData } from './result-view.ts';

const month = (count: number) => ({
  success: true,
  row_count: count,
  items: Array.from({ length: count }, (_, at) => ({
    row_index: at + 1,
    transacted_at: `2026-11-${String((at % 30) + 1).padStart(2, '0')}T18:02:11.000+09:00`,
    deposit_amount: at % 2 === 0 ? 1_250_000 : 0,
    withdrawal_amount: at % 2 === 0 ? 0 : 670_000,
    balance_after: 16_710_923 + at,
    description: { untrusted_text: '타행이체' },
    counterparty: at % 3 === 0 ? null : { untrusted_text: `거래처 ${at % 7}` },
    branch: null,
    memo: { untrusted_text: '세금계산서 2건' },
  })),
});

describe('a result as an agent reads it', () => {
  it('keeps its rows as they are while they are few', () => {
    const data = month(20);
    expect(viewData(data, {}, BUDGET)).toEqual({ data, nextCursor: null, notes: [] });
  });

  it('shows a month of 300 transactions whole, for less than 8,000 tokens', () => {
    const { data, nextCursor, notes } = viewData(month(300), {}, BUDGET);
    expect(tokens(data)).toBeLessThan(7_500);
    expect([nextCursor, notes]).toEqual([null, []]);
    expect(data).toMatchObject({
      row_count: 300,
      items: {
        columns: [
          'row_index',
          'transacted_at',
          'deposit_amount',
          'withdrawal_amount',
          'balance_after',
        ],
        same: { branch: null, description: { untrusted_text: '타행이체' } },
        time_zone: '+09:00',
        untrusted_text: { columns: ['counterparty'] },
      },
    });
    const { items } = data as { items: { rows: unknown[]; untrusted_text: { rows: unknown[] } } };
    expect(items.rows[0]).toEqual([1, '20261101T180211', 1_250_000, 0, 16_710_923]);
    expect(items.untrusted_text.rows.slice(0, 2)).toEqual([[null], ['거래처 1']]);
  });

  it('takes as few tokens when it is Korean throughout', () => {
    const faqs = Array.from({ length: 600 }, (_, at) => ({
      qstn_sn: String(at),
      title: { untrusted_text: `${at}번째 두루누리 사회보험료 지원 대상 사업장 신고 절차 문의` },
      body: {
        untrusted_text: '뷁꿹쬓 상실신고서를 제출하지 않으면 보험료가 계속 부과됩니다. '.repeat(3),
      },
    }));
    const seen: unknown[] = [];
    for (let cursor: number | null = 0; cursor !== null; ) {
      const page = viewData({ items: faqs }, { cursor }, BUDGET);
      expect(tokens(page.data)).toBeLessThan(8_000);
      const { items } = page.data as { items: { rows: unknown[][] } };
      seen.push(...items.rows.map(([id]) => id));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(faqs.map(({ qstn_sn }) => qstn_sn));
  });

  it('comes in pages that together hold every row once', () => {
    const seen: unknown[] = [];
    for (let cursor: number | null = 0; cursor !== null; ) {
      const page = viewData(month(3_000), { cursor }, BUDGET);
      expect(tokens(page.data)).toBeLessThanOrEqual(BUDGET);
      const { items } = page.data as { items: { rows: unknown[][] } };
      seen.push(...items.rows.map(([index]) => index));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(Array.from({ length: 3_000 }, (_, at) => at + 1));
  });

  it('holds as many rows as there is room for, whatever they are', () => {
    const row = fc.record({ text: fc.string({ maxLength: 60 }), at: fc.option(fc.integer()) });
    const forms = fc.constantFrom('rows', 'table', undefined);
    const budgets = fc.integer({ min: 150, max: 650 });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 60 }), budgets, forms, (items, budget, form) => {
        let seen = 0;
        for (let cursor: number | null = 0; cursor !== null; ) {
          const page = viewData({ total: items.length, items }, { cursor, form }, budget);
          expect(modelSize(page.data)).toBeLessThanOrEqual(budget);
          const { items: list } = page.data as { items: unknown[] | { rows: unknown[] } };
          seen += Array.isArray(list) ? list.length : list.rows.length;
          cursor = page.nextCursor;
        }
        expect(seen).toBe(items.length);
      }),
    );
  });

  it('shows the rows, the columns and the form that were asked for', () => {
    const view = {
      cursor: 10,
      limit: 2,
      fields: ['row_index', 'memo', 'price'],
      form: 'rows',
    } as const;
    expect(viewData(month(300), view, BUDGET)).toEqual({
      data: {
        success: true,
        row_count: 300,
        items: [11, 12].map((row_index) => ({
          row_index,
          memo: { untrusted_text: '세금계산서 2건' },
        })),
      },
      nextCursor: 12,
      notes: [
        'items: rows 11 to 12 of 300',
        expect.stringMatching(/^No column price; columns: row/),
      ],
    });
    expect(viewData(month(300), { form: 'totals' }, BUDGET)).toEqual({
      data: { success: true, row_count: 300 },
      nextCursor: null,
      notes: ['items: 300 rows not shown'],
    });
  });

  it('reads a list of columns a few times, however many rows and columns there are', () => {
    let reads = 0;
    const names = Array.from({ length: 5_000 }, (_, at) => `column_${at}`);
    const fields = new Proxy(['memo', ...names], {
      get: (list, key, receiver) => {
        if (key !== 'length') reads += 1;
        return Reflect.get(list, key, receiver);
      },
    });
    const rows = { ...month(500), note: { untrusted_text: '가'.repeat(20_000) } };
    const { data } = viewData(rows, { fields, form: 'rows' }, BUDGET);
    expect(data).toHaveProperty('items.0', { memo: { untrusted_text: '세금계산서 2건' } });
    expect(reads).toBeLessThan(10 * fields.length);
  });

  it('holds no bytes unless their field is asked for', () => {
    const data = { name: 'notice.pdf', content_base64: 'QUJD'.repeat(500) };
    expect(viewData(data, {}, BUDGET).data).toEqual({
      name: 'notice.pdf',
      content_base64: '(base64, 2000 characters: name it in fields)',
    });
    expect(viewData(data, { fields: ['content_base64'] }, BUDGET).data).toEqual(data);
  });

  describe('with texts too long for an answer', () => {
    const LONG = '사업장은 보험료를 다음 달 십일까지 납부하여야 합니다. ';
    const text = (characters: number) => ({
      untrusted_text: LONG.repeat(Math.ceil(characters / LONG.length)).slice(0, characters),
    });
    const CUT = ['Long texts are cut to fit a tool result; the command line shows them whole.'];
    const detail = { notice_id: '7', body_text: text(3_500), body_html: text(4_500) };

    it('leaves out the HTML before anything of the text that says the same (D154)', () => {
      const { data, notes } = viewData(detail, {}, BUDGET);
      expect(tokens(data)).toBeLessThanOrEqual(BUDGET);
      expect(notes).toEqual(CUT);
      expect(data).toMatchObject({ notice_id: '7', body_text: detail.body_text });
      expect(JSON.stringify(data)).toMatch(/… \(\d+ of 4500 characters\)/);
    });

    it('cuts a text at the end and says how much of it there is (D154)', () => {
      const { data, notes } = viewData({ ...detail, body_text: text(30_000) }, {}, BUDGET);
      expect(modelSize(data)).toBeLessThanOrEqual(BUDGET);
      expect(modelSize(data)).toBeGreaterThan(BUDGET / 2);
      expect(notes).toEqual(CUT);
      const { body_text } = data as { body_text: { untrusted_text: string } };
      expect(body_text.untrusted_text).toMatch(/^사업장은 .*… \(\d{4} of 30000 characters\)$/);
    });

    it('cuts last what was asked for by name', () => {
      const { data } = viewData(detail, { fields: ['body_html'] }, BUDGET);
      expect(data).toMatchObject({ body_html: detail.body_html });
    });

    it('shows them also around a list, and the list', () => {
      const whole = { ...detail, attachments: [{ attachment_id: '1' }] };
      const { data, notes } = viewData(whole, {}, BUDGET);
      expect(modelSize(data)).toBeLessThanOrEqual(BUDGET);
      expect(notes).toEqual(CUT);
      expect(data).toMatchObject({
        body_text: detail.body_text,
        attachments: [{ attachment_id: '1' }],
      });
      const totals = viewData(whole, { form: 'totals' }, BUDGET);
      expect(modelSize(totals.data)).toBeLessThanOrEqual(BUDGET);
    });

    it('reaches every row, also those after one that fits into no answer', () => {
      const rows = [10, 20_000, 10, 9_000].map((characters, id) => ({
        id,
        body: text(characters),
      }));
      for (const form of ['rows', 'table', undefined] as const) {
        const seen: unknown[] = [];
        for (let cursor: number | null = 0; cursor !== null; ) {
          const page = viewData({ items: rows }, { cursor, form }, BUDGET);
          expect(modelSize(page.data)).toBeLessThanOrEqual(BUDGET);
          const { items } = page.data as { items: { id: number }[] | { rows: number[][] } };
          seen.push(
            ...(Array.isArray(items) ? items.map(({ id }) => id) : items.rows.map(([id]) => id)),
          );
          cursor = page.nextCursor;
        }
        expect(seen, form).toEqual([0, 1, 2, 3]);
      }
    });
  });

  it('is nothing where there is no data, and says nothing of it', () => {
    expect(viewData(null, {}, BUDGET)).toEqual({ data: null, nextCursor: null, notes: [] });
  });
});
