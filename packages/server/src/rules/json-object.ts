/** What `{…}` is in JSON. */
export type JsonFields = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Null for what is no JSON, or no object. */
export function parseJsonObject(text: string): JsonFields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
