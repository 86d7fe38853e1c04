/** The given options; `undefined` counts as absent. */
export function definedOnly<T>(record: object | undefined): Record<string, T> {
  const given = Object.entries(record ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}
