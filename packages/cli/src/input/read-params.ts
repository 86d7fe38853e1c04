import type { CatalogueAction } from '@changgu/sdk/catalogue';
import type { Texts } from '../texts/ko.ts';
import { checkParams } from './check-params.ts';
import { parsePairs } from './pair.ts';
import { paramValue } from './param-value.ts';
import type { InputReader } from './read-input.ts';

export interface ParamOptions {
  /** `name=value`, repeatable; takes precedence over the same name in `params`. */
  readonly param?: readonly string[] | undefined;
  /** A JSON object, `@file` or `@-`. */
  readonly params?: string | undefined;
  /** Sends params unchecked; values that are valid JSON are parsed. */
  readonly check: boolean;
}

/** The params of an action from the options, typed and checked by the catalog. */
export async function readParams(
  action: CatalogueAction | null,
  options: ParamOptions,
  reader: InputReader,
  texts: Texts,
): Promise<Record<string, unknown>> {
  const whole =
    options.params === undefined ? {} : await reader.jsonObject(options.params, '--params');
  const schemaOf = (name: string) => {
    const properties = action?.params.properties ?? {};
    return Object.hasOwn(properties, name) ? properties[name] : undefined;
  };
  const howToList = (name: string) =>
    schemaOf(name)?.type === 'array' ? [`--param ${name}=…,…`] : [];
  const single = parsePairs(options.param, texts, howToList).map(
    ([name, value]) => [name, paramValue(value, schemaOf(name))] as const,
  );
  const params = { ...whole, ...Object.fromEntries(single) };
  if (action && options.check) checkParams(action, params, texts);
  return params;
}
