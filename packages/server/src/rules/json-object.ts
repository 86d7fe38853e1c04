import { isJsonObject, type JsonFields } from '@changgu/contract';

/** Null for what is no JSON, or no object. */
export function parseJsonObject(text: string): JsonFields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
