import { loadCatalogue } from '@changgu/contract/catalogue';
import { describe, expect, it } from 'vitest';
import { exampleParams } from './example-params.ts';
import { inputOf, paramsIn, shownOf, unshown, withoutValues } from './param-input.ts';

const { actions } = await loadCatalogue();

function schemaOf(id: string) {
  const action = actions.get(id);
  if (action === undefined) throw new Error(`no action ${id}`);
  return action.params;
}

const kindOf = (id: string, name: string) => inputOf(schemaOf(id).properties[name] ?? {}).kind;

describe('the fields of an action', () => {
  it('suit what its params are', () => {
    const history = 'bank_b.accounts.transaction_history.search';
    expect(kindOf(history, 'from_date')).toBe('date');
    expect(kindOf(history, 'direction')).toBe('choice');
    expect(kindOf(history, 'bank_account_credential_id')).toBe('text');
    expect(kindOf('tax_portal.e1.invoice_summary', 'search_types')).toBe('choices');
    expect(kindOf('tax_portal.c1.tax_payment_record', 'copies')).toBe('number');
    expect(kindOf('si_edi.b1.resources.files.download', 'dry_run')).toBe('check');
    expect(kindOf('tax_portal.t1.credit_card_sales_data', 'bsno')).toBe('text');
    expect(kindOf('tax_portal.t1.credit_card_sales_data', 'stl_yr')).toBe('text');
  });

  it('take fractions where the param does', () => {
    expect(inputOf({ type: 'number' })).toEqual({ kind: 'number', step: 'any' });
    expect(inputOf({ type: 'integer' })).toEqual({ kind: 'number', step: 1 });
  });

  it('are never a field for JSON, in any action of ours', () => {
    for (const [id, { params }] of actions) {
      for (const [name, schema] of Object.entries(params.properties)) {
        expect(inputOf(schema).kind, `${id} ${name}`).not.toBe('json');
      }
    }
  });

  it('show the example of every action, and give it back', () => {
    for (const [id, { params }] of actions) {
      const example = exampleParams(params);
      expect(unshown(params, example), id).toEqual([]);
      const shown = (name: string) =>
        name in example
          ? (shownOf(inputOf(params.properties[name] ?? {}), example[name]) ?? [])
          : [];
      const given = paramsIn(params, (name) =>
        name in example ? shown(name) : usual(params.properties[name] ?? {}),
      );
      expect(given, id).toEqual(example);
    }
  });

  it('leave out what is empty or as usual, and keep what a person chose', () => {
    const schema = schemaOf('tax_portal.e1.invoice_summary');
    const typed: Record<string, string[]> = {
      start_date: ['2026-11-01'],
      date_types: ['01', '02'],
    };
    const given = paramsIn(schema, (name) => typed[name] ?? usual(schema.properties[name] ?? {}));
    expect(given).toEqual({ start_date: '2026-11-01', date_types: ['01', '02'] });
    expect(paramsIn(schema, () => [])).toMatchObject({ search_types: [] });
  });

  it('say what they cannot show', () => {
    const schema = schemaOf('bank_b.accounts.transaction_history.search');
    const params = { from_date: '20260230', to_date: 'tomorrow', direction: 'up', toString: 1 };
    expect(unshown(schema, params)).toEqual(['from_date', 'to_date', 'direction', 'toString']);
  });

  it('do not list in words the values that can be chosen', () => {
    const { direction = {} } = schemaOf('bank_b.accounts.transaction_history.search').properties;
    const text = String(direction['x-description-ko']);
    expect(withoutValues(text, direction, 'ko')).toBe('입출금 구분');
  });
});

/** What an untouched field gives. */
function usual(schema: Readonly<Record<string, unknown>>): readonly string[] {
  const { default: value } = schema;
  return value === undefined ? [] : (shownOf(inputOf(schema), value) ?? []);
}
