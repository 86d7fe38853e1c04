import { PRINTABLE, VISIBLE } from '@changgu/contract/schemas';
import type { ErrorObject } from 'ajv';
import { type FieldViolation, MAX_FIELDS } from '../rules/service-error.ts';
import { type Finding, typeFinding } from '../rules/type-finding.ts';

/** Where a value is: begins with body, query, path or header. */
export type Location = readonly (string | number)[];

const NO_TIMEZONE = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/** Turns Ajv's errors into the triples of Pydantic v2 that clients expect. */
export function violationsOf(
  root: Location,
  value: unknown,
  errors: readonly ErrorObject[],
): FieldViolation[] {
  const violations = new Map<string, FieldViolation>();
  for (const error of withoutTypesOfLiterals(withoutUnionNoise(errors))) {
    const violation = violationOf(root, value, error);
    violations.set(JSON.stringify([violation.loc, violation.type]), violation);
    if (violations.size === MAX_FIELDS) break;
  }
  return [...violations.values()];
}

/**
 * A union reports the failure of each branch and its own. The branch that says something is the one
 * that is not just "not null"; where none does, the union's own error stays.
 */
function withoutUnionNoise(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const telling = errors.filter(
    ({ keyword, params }) =>
      !['anyOf', 'oneOf', 'if', 'propertyNames'].includes(keyword) &&
      !(keyword === 'type' && params.type === 'null'),
  );
  return telling.length > 0 ? telling : errors;
}

/** A value that is none of a few values has one violation, also where its type differs from theirs. */
function withoutTypesOfLiterals(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const schemaOf = ({ schemaPath }: ErrorObject) =>
    schemaPath.slice(0, schemaPath.lastIndexOf('/'));
  const isLiteral = ({ keyword }: ErrorObject) => keyword === 'enum' || keyword === 'const';
  const literals = errors.filter(isLiteral);
  return errors.filter(
    (error) =>
      error.keyword !== 'type' ||
      !literals.some(
        (literal) =>
          literal.instancePath === error.instancePath && schemaOf(literal) === schemaOf(error),
      ),
  );
}

function violationOf(root: Location, value: unknown, error: ErrorObject): FieldViolation {
  const within = locate(value, error.instancePath);
  const at = [...root, ...within];
  const { keyword, params } = error;
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
      return { loc: [...at, String(params.missingProperty)], ...MISSING };
    case 'additionalProperties':
      return { loc: [...at, String(params.additionalProperty)], ...EXTRA };
    case 'unevaluatedProperties':
      return { loc: [...at, String(params.unevaluatedProperty)], ...EXTRA };
    default:
      if (keyword === 'type' && (value === undefined || value === null))
        return { loc: at, ...MISSING };
      return { loc: name(at, error.propertyName), ...finding(error, valueAt(value, within)) };
  }
}

const MISSING: Finding = { msg: 'Field required', type: 'missing' };
const EXTRA: Finding = { msg: 'Extra inputs are not permitted', type: 'extra_forbidden' };

function name(at: Location, propertyName: string | undefined): Location {
  return propertyName === undefined ? at : [...at, propertyName];
}

function finding(error: ErrorObject, value: unknown): Finding {
  const { keyword, params } = error;
  const limit = Number(params.limit);
  switch (keyword) {
    case 'type':
      return typeFinding([params.type].flat());
    case 'minLength':
      return {
        type: 'string_too_short',
        msg: `String should have at least ${count(limit, 'character')}`,
      };
    case 'maxLength':
      return {
        type: 'string_too_long',
        msg: `String should have at most ${count(limit, 'character')}`,
      };
    case 'minItems':
      return { type: 'too_short', msg: `List should have at least ${count(limit, 'item')}` };
    case 'maxItems':
      return { type: 'too_long', msg: `List should have at most ${count(limit, 'item')}` };
    case 'uniqueItems':
      return { type: 'value_error', msg: 'List should not have the same item twice' };
    case 'minProperties':
      return { type: 'too_short', msg: `Dictionary should have at least ${count(limit, 'item')}` };
    case 'minimum':
      return {
        type: 'greater_than_equal',
        msg: `Input should be greater than or equal to ${limit}`,
      };
    case 'maximum':
      return { type: 'less_than_equal', msg: `Input should be less than or equal to ${limit}` };
    case 'pattern':
      return { type: 'string_pattern_mismatch', msg: patternMessage(String(params.pattern)) };
    case 'enum':
      return literalFinding(params.allowedValues);
    case 'const':
      return literalFinding([params.allowedValue]);
    case 'format':
      return formatFinding(String(params.format), value);
    default:
      return { type: 'value_error', msg: error.message ?? 'Invalid value' };
  }
}

/** People type these values, and their patterns do not help. */
function patternMessage(pattern: string): string {
  switch (pattern) {
    case PRINTABLE:
      return 'Control characters are not allowed';
    case VISIBLE:
      return 'A visible character is needed, and control characters are not allowed';
    default:
      return `String should match pattern '${pattern}'`;
  }
}

function literalFinding(allowed: unknown): Finding {
  const values = (Array.isArray(allowed) ? allowed : [])
    .filter((each) => each !== null)
    .map((each) => (typeof each === 'string' ? `'${each}'` : String(each)));
  const last = values.at(-1) ?? '';
  const msg = values.length > 1 ? `${values.slice(0, -1).join(', ')} or ${last}` : last;
  return { type: 'literal_error', msg: `Input should be ${msg}` };
}

function formatFinding(format: string, value: unknown): Finding {
  switch (format) {
    case 'uuid':
    case 'uuid4':
      return { type: 'uuid_parsing', msg: 'Input should be a valid UUID' };
    case 'date-time':
      return typeof value === 'string' && NO_TIMEZONE.test(value)
        ? { type: 'timezone_aware', msg: 'Input should have timezone info' }
        : { type: 'datetime_parsing', msg: 'Input should be a valid datetime' };
    default:
      return { type: 'value_error', msg: `Value is not a valid ${format}` };
  }
}

function count(limit: number, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? '' : 's'}`;
}

/** A JSON pointer as a Pydantic location: indexes of lists are numbers. */
function locate(value: unknown, pointer: string): Location {
  const loc: (string | number)[] = [];
  let current = value;
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    loc.push(Array.isArray(current) ? Number(key) : key);
    current = valueAt(current, [key]);
  }
  return loc;
}

function valueAt(value: unknown, loc: Location): unknown {
  return loc.reduce<unknown>(
    (current, key) =>
      typeof current === 'object' && current !== null ? Reflect.get(current, key) : undefined,
    value,
  );
}
