import type { JsonSchema } from '@changgu/sdk/catalogue';

/** The value of `--param name=text`, typed by the param's schema. A value that does not fit stays text and is refused. */
export function paramValue(text: string, schema: JsonSchema | undefined): unknown {
  const types = typesOf(schema);
  if (types.length === 0) return jsonOrText(text);
  if (types.includes('string')) return text;
  if (types.includes('array')) return arrayValue(text, schema);
  if (types.includes('integer') || types.includes('number')) return numberOrText(text);
  if (types.includes('boolean')) return text === 'true' ? true : text === 'false' ? false : text;
  return jsonOrText(text);
}

export function typesOf(schema: JsonSchema | undefined): readonly string[] {
  const type = schema?.type;
  return Array.isArray(type) ? type : typeof type === 'string' ? [type] : [];
}

export function itemsOf(schema: JsonSchema | undefined): JsonSchema | undefined {
  const items = schema?.items;
  return typeof items === 'object' && items !== null ? { ...items } : undefined;
}

/** `01,02`, or JSON. */
function arrayValue(text: string, schema: JsonSchema | undefined): unknown {
  if (text.startsWith('[')) return jsonOrText(text);
  const items = itemsOf(schema);
  return text.split(',').map((item) => paramValue(item.trim(), items));
}

function numberOrText(text: string): unknown {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
