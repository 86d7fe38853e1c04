import { isSensitiveName } from '@changgu/contract';
import { type FieldViolation, MAX_FIELDS } from '../service-error.ts';
import { pathTo, walkJson } from './walk-json.ts';

/** Every sensitive name anywhere in params, with its location. */
export function sensitiveNames(params: Readonly<Record<string, unknown>>): FieldViolation[] {
  const found: FieldViolation[] = [];
  walkJson(params, (_value, name, within) => {
    if (typeof name !== 'string' || found.length === MAX_FIELDS || !isSensitiveName(name)) return;
    found.push(violation(['body', 'params', ...pathTo(name, within)]));
  });
  return found;
}

function violation(loc: readonly (string | number)[]): FieldViolation {
  return {
    loc,
    msg: 'Sensitive values belong in encrypted_fields, not in params',
    type: 'value_error',
  };
}
