import type { FieldViolation } from './service-error.ts';

/** What is wrong with a value, wherever it is. */
export type Finding = Omit<FieldViolation, 'loc'>;

const TYPES: Readonly<Record<string, Finding>> = {
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  integer: { type: 'int_type', msg: 'Input should be a valid integer' },
  number: { type: 'float_type', msg: 'Input should be a valid number' },
  boolean: { type: 'bool_type', msg: 'Input should be a valid boolean' },
  object: { type: 'dict_type', msg: 'Input should be a valid dictionary' },
  array: { type: 'list_type', msg: 'Input should be a valid list' },
  null: { type: 'none_required', msg: 'Input should be None' },
};

/** A value of none of these JSON types, as Pydantic says it of the first. */
export function typeFinding(expected: readonly unknown[]): Finding {
  const wanted = expected.find((each) => typeof each === 'string' && each !== 'null');
  const finding = typeof wanted === 'string' ? TYPES[wanted] : TYPES.null;
  return finding ?? { type: 'value_error', msg: 'Invalid type' };
}
