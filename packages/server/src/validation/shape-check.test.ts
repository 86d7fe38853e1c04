import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { shapeCheck } from './shape-check.ts';

const check = (schema: object, value: unknown) =>
  shapeCheck(schema, ['body'])(value).map(({ loc, type, msg }) => [loc.join('.'), type, msg]);

describe('violations in the words of Pydantic (D54)', () => {
  it.each([
    [Type.String(), 1, 'string_type', 'Input should be a valid string'],
    [Type.Integer(), '1', 'int_type', 'Input should be a valid integer'],
    [Type.Integer(), 1.5, 'int_type', 'Input should be a valid integer'],
    [Type.Number(), 'a', 'float_type', 'Input should be a valid number'],
    [Type.Boolean(), 'true', 'bool_type', 'Input should be a valid boolean'],
    [Type.Object({}), [], 'dict_type', 'Input should be a valid dictionary'],
    [Type.Array(Type.Any()), {}, 'list_type', 'Input should be a valid list'],
    [{ type: ['string', 'null'] }, 1, 'string_type', 'Input should be a valid string'],
    [
      Type.String({ minLength: 1 }),
      '',
      'string_too_short',
      'String should have at least 1 character',
    ],
    [
      Type.String({ maxLength: 2 }),
      'abc',
      'string_too_long',
      'String should have at most 2 characters',
    ],
    [Type.Array(Type.Any(), { minItems: 1 }), [], 'too_short', 'List should have at least 1 item'],
    [
      Type.Object({}, { minProperties: 1 }),
      {},
      'too_short',
      'Dictionary should have at least 1 item',
    ],
    [
      Type.Array(Type.Any(), { uniqueItems: true }),
      ['a', 'a'],
      'value_error',
      'List should not have the same item twice',
    ],
    [Type.Array(Type.Any(), { maxItems: 0 }), [1], 'too_long', 'List should have at most 0 items'],
    [
      Type.Integer({ minimum: 1 }),
      0,
      'greater_than_equal',
      'Input should be greater than or equal to 1',
    ],
    [Type.Integer({ maximum: 4 }), 5, 'less_than_equal', 'Input should be less than or equal to 4'],
    [
      Type.String({ pattern: '^a$' }),
      'b',
      'string_pattern_mismatch',
      "String should match pattern '^a$'",
    ],
    [{ enum: ['a', 'b', 'c'] }, 'd', 'literal_error', "Input should be 'a', 'b' or 'c'"],
    [{ type: 'string', enum: ['a', 'b'] }, 1, 'literal_error', "Input should be 'a' or 'b'"],
    [Type.Literal(true), false, 'literal_error', 'Input should be true'],
    [Type.Literal(true), 'true', 'literal_error', 'Input should be true'],
    [
      Type.Array(Type.String(), { uniqueItems: true }),
      ['a', 'b', 'a'],
      'value_error',
      'List should not have the same item twice',
    ],
    [Type.String({ format: 'uuid4' }), 'x', 'uuid_parsing', 'Input should be a valid UUID'],
  ])('%j of %j', (schema, value, type, msg) => {
    expect(check(schema, value)).toEqual([['body', type, msg]]);
  });

  it('refuses a time without an offset (R102)', () => {
    const time = Type.Object({ at: Type.String({ format: 'date-time' }) });
    expect(check(time, { at: '2026-11-21T09:00:00' })[0]?.[1]).toBe('timezone_aware');
    expect(check(time, { at: 'yesterday' })[0]?.[1]).toBe('datetime_parsing');
    expect(check(time, { at: '2026-11-21T09:00:00+09:00' })).toEqual([]);
  });

  it.each([
    '2026-11-21T23:59:60Z',
    '2026-11-21\t00:00:00Z',
    '2026-02-30T00:00:00+09',
    '2026-02-30T00:00:00+09:00',
    '2026-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-11-00T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T00:60:00Z',
    '2026-11-21T00:00:00+25:00',
    '0000-01-01T00:00:00Z',
    '9999-12-31T15:00:00Z',
  ])('refuses %j, of which no time can be made', (at) => {
    const time = Type.Object({ at: Type.String({ format: 'date-time' }) });
    expect(check(time, { at })[0]?.[1]).toBe('datetime_parsing');
  });

  it.each(['2028-02-29T23:59:59.999+09:00', '9999-12-31T23:59:59.999+09:00'])('takes %j', (at) => {
    expect(check(Type.String({ format: 'date-time' }), at)).toEqual([]);
  });

  it('gives the location with numeric indexes and keys as sent', () => {
    const schema = Type.Object({ 'a/b': Type.Array(Type.Record(Type.String(), Type.String())) });
    const value = { 'a/b': [{ '0': 'x' }, { '~한 글%5': 1 }] };
    expect(shapeCheck(schema, ['body', 'params'])(value)[0]?.loc).toEqual([
      'body',
      'params',
      'a/b',
      1,
      '~한 글%5',
    ]);
  });

  it('reports a violation of the object for an object-or-null', () => {
    const schema = Type.Union([
      Type.Object({ a: Type.String() }, { additionalProperties: false }),
      Type.Null(),
    ]);
    expect(check(schema, null)).toEqual([]);
    expect(check(schema, { b: 1 }).map(([loc, type]) => [loc, type])).toEqual([
      ['body.a', 'missing'],
      ['body.b', 'extra_forbidden'],
    ]);
    expect(check(schema, 5)[0]?.[1]).toBe('dict_type');
  });

  it('refuses a number in a URL that is too large', () => {
    const query = Type.Object({ limit: Type.Integer({ maximum: 100 }) });
    const read = shapeCheck(query, ['query'], 'text');
    expect(read({ limit: '10' })).toEqual([]);
    for (const limit of ['1e999', '-1e999', 'Infinity']) {
      expect(read({ limit })).toMatchObject([{ loc: ['query', 'limit'], type: 'int_type' }]);
    }
  });

  it('takes an integer in a URL only as it is written, in decimal digits', () => {
    const query = shapeCheck(
      Type.Object({ limit: Type.Optional(Type.Integer({ default: 20 })) }),
      ['query'],
      'text',
    );
    for (const limit of [
      '0x10',
      '1e1',
      ' 1',
      '1 ',
      '1.0',
      '0b1',
      '+1',
      '',
      '01',
      '00',
      '-01',
      '-0',
    ]) {
      const [violation] = query({ limit });
      expect([limit, violation?.type]).toEqual([limit, 'int_type']);
    }
    const read: { limit?: string } = { limit: '16' };
    expect(query(read)).toEqual([]);
    expect(read).toEqual({ limit: 16 });
    for (const limit of ['-1', '0', '100']) expect(query({ limit })).toEqual([]);
    expect(query({})).toEqual([]);
  });

  it('refuses a NUL in a URL, which one of the databases could not store', () => {
    const path = Type.Object({ id: Type.String(), names: Type.Array(Type.String()) });
    const read = shapeCheck(path, ['path'], 'text');
    expect(read({ id: 'a', names: ['b'] })).toEqual([]);
    expect(read({ id: '\u0000', names: ['a', 'b\u0000'] })).toMatchObject([
      { loc: ['path', 'id'], type: 'value_error' },
      { loc: ['path', 'names', 1], type: 'value_error' },
    ]);
  });

  it('lists at most a hundred', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, n]));
    expect(check(Type.Object({}, { additionalProperties: false }), many)).toHaveLength(100);
  });
});
