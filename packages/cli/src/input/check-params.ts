import type { CatalogueAction, JsonSchema } from '@changgu/sdk/catalogue';
import { isSensitiveName, nearest, valueText } from '@changgu/sdk/catalogue';
import { type CliError, usageError } from '../cli-error.ts';
import type { Texts } from '../texts/ko.ts';
import { itemsOf, typesOf } from './param-value.ts';

type Params = Readonly<Record<string, unknown>>;

/** Set by the command itself, not by the caller of an action. */
const OWN_PARAMS: readonly string[] = ['query'];

/**
 * Refuses what the service would refuse, before sending it: unknown and missing names, wrong types and values.
 * @throws usage error with the nearest name
 */
export function checkParams(action: CatalogueAction, params: Params, texts: Texts): void {
  const { properties, required = [] } = action.params;
  for (const [name, value] of Object.entries(params)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!schema) throw unknownParam(action, name, texts);
    checkValue(name, value, schema, texts);
  }
  const missing = required.find((name) => params[name] === undefined);
  if (missing) throw usageError(texts.input.missingParam(missing), `--param ${missing}=…`);
}

function unknownParam(
  { params, encryptedFields, id }: CatalogueAction,
  name: string,
  texts: Texts,
): CliError {
  const { input } = texts;
  if (Object.hasOwn(encryptedFields, name)) {
    return usageError(input.sensitiveParam(name), input.useSecret(name));
  }
  // The service would refuse it too; here the advice is better.
  if (isSensitiveName(name)) {
    return usageError(
      input.sensitiveParam(name),
      input.registerSecret,
      'changgu links create <provider>',
    );
  }
  const names = Object.keys(params.properties).filter((known) => !OWN_PARAMS.includes(known));
  const meant = nearest(name, names);
  return usageError(
    input.unknownParam(name),
    ...(meant === null ? [] : [texts.didYouMean(meant)]),
    names.length === 0 ? input.noParams : input.knownParams(names.join(', ')),
    `changgu actions show ${id}`,
  );
}

function checkValue(name: string, value: unknown, schema: JsonSchema, texts: Texts): void {
  const { input } = texts;
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    const words = types.map((type) => input.types[type] ?? type);
    throw usageError(input.wrongType(name, words.join(' | ')));
  }
  const { enum: values, pattern, minimum, maximum, minLength, examples } = schema;
  if (Array.isArray(values) && !values.includes(value)) {
    const choices = new Set(values.map((choice) => choiceText(schema, String(choice), texts)));
    throw usageError(input.notOneOf(name, [...choices].join(', ')));
  }
  if (typeof value === 'string') {
    const example = Array.isArray(examples) ? String(examples[0]) : String(pattern);
    if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value)) {
      throw usageError(input.wrongForm(name, example));
    }
    if (typeof minLength === 'number' && value.length < minLength)
      throw usageError(input.tooShort(name));
  }
  if (typeof value === 'number') {
    if (typeof minimum === 'number' && value < minimum)
      throw usageError(input.tooSmall(name, minimum));
    if (typeof maximum === 'number' && value > maximum)
      throw usageError(input.tooLarge(name, maximum));
  }
  const items = itemsOf(schema);
  if (Array.isArray(value) && items) for (const item of value) checkValue(name, item, items, texts);
}

/** A code with what it stands for. */
function choiceText(schema: JsonSchema, choice: string, { inLanguage }: Texts): string {
  const [ko, en] = [valueText(schema, choice, 'ko'), valueText(schema, choice, 'en')];
  return ko === null || en === null ? choice : `${choice} ${inLanguage({ ko, en })}`;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return Number.isSafeInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}
