import { describe, expect, expectTypeOf, it } from 'vitest';
import { type Camelized, camelize, snakeize } from './wire-case.ts';

describe('the case of the wire', () => {
  it('turns names at every depth, and leaves what belongs to institutions and callers', () => {
    const wire = {
      job_id: 'x',
      nested_list: [{ masked_account_no: '1', params: { from_date: 1 } }],
      data: { row_count: 0 },
      selected_assets: { business_no: ['a_b'] },
      null_value: null,
    };
    const camel = camelize(wire);
    expect(camel).toEqual({
      jobId: 'x',
      nestedList: [{ maskedAccountNo: '1', params: { from_date: 1 } }],
      data: { row_count: 0 },
      selectedAssets: { business_no: ['a_b'] },
      nullValue: null,
    });
    expectTypeOf(camel).toEqualTypeOf<Camelized<typeof wire>>();
    expectTypeOf(camel.nestedList[0]).toEqualTypeOf<
      { maskedAccountNo: string; params: { from_date: number } } | undefined
    >();
    expect(snakeize(camel)).toEqual(wire);
  });

  it('keeps the one wire name that is in camelCase', () => {
    expect(snakeize({ serverTransmissionData: 'x' })).toEqual({ serverTransmissionData: 'x' });
  });

  it('takes __proto__ for a mere name', () => {
    const hostile: unknown = JSON.parse('{"__proto__": {"is_admin": true}}');
    expect(Reflect.get(Object(camelize(hostile)), 'isAdmin')).toBeUndefined();
  });
});
