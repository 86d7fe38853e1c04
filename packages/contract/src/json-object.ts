/** What `{…}` is in JSON. */
export type JsonFields = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
