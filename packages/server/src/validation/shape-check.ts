import { parseDay } from '@changgu/contract';
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';
import { LAST_KST_MS } from '../rules/kst.ts';
import type { FieldViolation } from '../rules/service-error.ts';
import { unusableTexts } from './unusable-texts.ts';
import { type Location, violationsOf } from './violations.ts';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

const MOMENT = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

const STRICTNESS: Options = {
  allErrors: true,
  removeAdditional: false,
  allowUnionTypes: true,
  // Schemas may describe themselves with keywords of our own.
  strictSchema: false,
  // The same component appears in many operations.
  addUsedSchema: false,
  // Schemas are ours and tested; compiling the schema of schemas first would cost a start 50 ms.
  meta: false,
  validateSchema: false,
};

function createAjv(options: Options): Ajv {
  const ajv = new Ajv({ ...STRICTNESS, ...options });
  ajvFormats.default(ajv);
  ajv.addFormat('uuid4', UUID_V4);
  ajv.addFormat('date-time', isMoment);
  return ajv;
}

/**
 * Only what becomes the same time of four-digit years again: the library also takes tabs, leap seconds and the year 0,
 * and the runtime turns February 30 into March 2.
 */
function isMoment(text: string): boolean {
  const [, day] = MOMENT.exec(text) ?? [];
  if (day === undefined || parseDay(day) === null) return false;
  const ms = Date.parse(text);
  return ms <= LAST_KST_MS && new Date(ms).getUTCFullYear() >= 1000;
}

// Values in a URL are text and must be coerced; JSON has types of its own.
const COMPILERS = {
  json: createCompiler({ coerceTypes: false }),
  text: createCompiler({ coerceTypes: 'array', useDefaults: true }),
};

/** Compiles each schema once, however many routes and servers of this process check it. */
function createCompiler(options: Options): (schema: object) => ValidateFunction {
  const ajv = createAjv(options);
  const compiled = new WeakMap<object, ValidateFunction>();
  return (schema) => {
    const validate = compiled.get(schema) ?? ajv.compile(withoutIds(schema));
    compiled.set(schema, validate);
    return validate;
  };
}

/** Violations of a value, in the form of `error.fields`; empty when it is valid. */
export type ShapeCheck = (value: unknown) => FieldViolation[];

/**
 * A check against a JSON Schema, compiled on first use so that starting stays fast.
 * `loc` is where the value is, e.g. `['body', 'params']`. Texts (query, path) are coerced in place.
 */
export function shapeCheck(
  schema: object,
  loc: Location,
  kind: 'json' | 'text' = 'json',
): ShapeCheck {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= COMPILERS[kind](schema);
    const texts = new Map(kind === 'text' ? entriesOf(value) : []);
    if (!validate(value)) return violationsOf(loc, value, validate.errors ?? []);
    return kind === 'json' ? [] : [...misread(texts, value, loc), ...unusableTexts(value, loc)];
  };
}

/**
 * The library reads `0x10`, `1e1`, `1.0` and `01` as integers too, and `1e999` as Infinity, which passes as
 * one below any maximum. One address should have one spelling.
 */
function misread(
  texts: ReadonlyMap<string, unknown>,
  value: unknown,
  loc: Location,
): FieldViolation[] {
  return entriesOf(value)
    .filter(([name, each]) => texts.has(name) && isMisread(texts.get(name), each))
    .map(([name]) => ({ loc: [...loc, name], ...NO_INTEGER }));
}

function entriesOf(value: unknown): [string, unknown][] {
  const read: object = value ?? {};
  return Object.entries(read);
}

const NO_INTEGER = { msg: 'Input should be a valid integer', type: 'int_type' } as const;

function isMisread(text: unknown, value: unknown): boolean {
  if (typeof value !== 'number') return false;
  return !Number.isFinite(value) || !/^(0|-?[1-9]\d*)$/.test(String(text));
}

/** A component may stand twice in one schema; Ajv would take its second `$id` for another schema. */
function withoutIds(schema: object): object {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === '$id' ? undefined : value)));
}
