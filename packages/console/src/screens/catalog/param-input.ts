import { type JsonObjectSchema, type JsonSchema, valueText } from '@changgu/contract/catalogue';
import type { Language } from '@changgu/contract/language';

type Value = string | number | boolean;

/** How a person gives one param of an action. */
export type ParamInput =
  | { readonly kind: 'choice'; readonly values: readonly Value[] }
  | { readonly kind: 'choices'; readonly values: readonly Value[]; readonly named: JsonSchema }
  | { readonly kind: 'number'; readonly step: 1 | 'any' }
  | { readonly kind: 'check' | 'date' | 'text' | 'json' };

type Params = Readonly<Record<string, unknown>>;

export function inputOf(schema: JsonSchema): ParamInput {
  const { type, enum: values, items } = schema;
  if (Array.isArray(values)) return { kind: 'choice', values: distinct(values) };
  if (type === 'array' && isSchemaOfValues(items)) {
    return { kind: 'choices', values: distinct(items.enum), named: items };
  }
  if (type === 'boolean') return { kind: 'check' };
  if (type === 'integer') return { kind: 'number', step: 1 };
  if (type === 'number') return { kind: 'number', step: 'any' };
  if (isDay(schema)) return { kind: 'date' };
  return { kind: [type].flat().includes('string') ? 'text' : 'json' };
}

function isSchemaOfValues(items: unknown): items is JsonSchema & { readonly enum: unknown[] } {
  return (
    typeof items === 'object' && items !== null && 'enum' in items && Array.isArray(items.enum)
  );
}

/** Some take a code as a number and as text. */
function distinct(values: readonly unknown[]): readonly Value[] {
  const plain = values.filter(isValue);
  return plain.filter(
    (value, at) => at === plain.findIndex((each) => String(each) === String(value)),
  );
}

function isValue(value: unknown): value is Value {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Takes days as an input of the browser writes them. */
function isDay({ format, pattern }: JsonSchema): boolean {
  if (typeof pattern !== 'string') return format === 'date';
  const takes = new RegExp(pattern, 'u');
  return takes.test('2026-11-01') && !takes.test('2026-11-0') && !takes.test('123-45-67890');
}

/** Others, an input of the browser does not show. */
function isInCalendar(iso: string): boolean {
  const at = Date.parse(iso);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(iso);
}

/** What the inputs show for `value`; null where they cannot. */
export function shownOf(input: ParamInput, value: unknown): readonly string[] | null {
  switch (input.kind) {
    case 'choice':
    case 'choices': {
      const shown = [value].flat().filter(isValue).map(String);
      const known = input.values.map(String);
      const fits =
        Array.isArray(value) === (input.kind === 'choices') && [value].flat().every(isValue);
      return fits && shown.every((each) => known.includes(each)) ? shown : null;
    }
    case 'check':
      if (typeof value !== 'boolean') return null;
      return value ? ['on'] : [];
    case 'number':
      return typeof value === 'number' ? [String(value)] : null;
    case 'date': {
      const day = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(typeof value === 'string' ? value : '');
      const iso = day?.slice(1).join('-') ?? '';
      return isInCalendar(iso) ? [iso] : null;
    }
    case 'text':
      return ['string', 'number'].includes(typeof value) ? [String(value)] : null;
    case 'json':
      return [JSON.stringify(value)];
  }
}

/** The params that a form gives. Left out is what was left empty, or as it is without being sent. */
export function paramsIn(
  { properties, required = [] }: JsonObjectSchema,
  textsOf: (name: string) => readonly string[],
): Params {
  const all = Object.entries(properties).flatMap(([name, schema]) => {
    const value = valueIn(schema, textsOf(name));
    const isUsual = JSON.stringify(value) === JSON.stringify(usualOf(schema));
    return isUsual && !required.includes(name) ? [] : [[name, value] as const];
  });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

function valueIn(schema: JsonSchema, texts: readonly string[]): unknown {
  const input = inputOf(schema);
  const [text = ''] = texts;
  if (input.kind === 'check') return texts.length > 0;
  if (input.kind === 'choices') {
    return input.values.filter((value) => texts.includes(String(value)));
  }
  if (text === '') return undefined;
  if (input.kind === 'choice') return input.values.find((value) => String(value) === text);
  if (input.kind === 'number') return Number(text);
  return input.kind === 'json' ? jsonOf(text) : text;
}

/** Text that is not JSON is sent as it is: the service says what is wrong with it. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What holds without the param. */
export function usualOf(schema: JsonSchema): unknown {
  const { default: usual } = schema;
  if (usual !== undefined) return usual;
  const { kind } = inputOf(schema);
  if (kind === 'check') return false;
  return kind === 'choices' ? [] : undefined;
}

/** Names in `params` that the fields of the schema cannot show. */
export function unshown({ properties }: JsonObjectSchema, params: Params): readonly string[] {
  return Object.entries(params).flatMap(([name, value]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return schema === undefined || shownOf(inputOf(schema), value) === null ? [name] : [];
  });
}

/** `text`, the description of a choice, without the list of its values, which the choice shows itself. */
export function withoutValues(text: string, named: JsonSchema, language: Language): string {
  const { enum: values } = named;
  if (!Array.isArray(values)) return text;
  const list = values
    .filter(isValue)
    .map((value) => `${value} ${valueText(named, value, language)}`)
    .join(', ');
  return text.endsWith(`: ${list}`) ? text.slice(0, -list.length - 2) : text;
}
