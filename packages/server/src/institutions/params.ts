import type { JsonObject } from './connector.ts';

/** Params that the action's schema has already accepted, as the type that they have there. */

/** Null when omitted. */
export function textParam(params: JsonObject, name: string): string | null {
  const value = params[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

export function integerParam(params: JsonObject, name: string): number | null {
  const text = textParam(params, name);
  return text === null ? null : Number(text);
}

/** Digits only, for example of a business number with hyphens. */
export function digitsParam(params: JsonObject, name: string): string | null {
  return textParam(params, name)?.replaceAll('-', '') ?? null;
}

export function textsParam(params: JsonObject, name: string): readonly string[] | null {
  const value = params[name];
  return Array.isArray(value) ? value.map(String) : null;
}
