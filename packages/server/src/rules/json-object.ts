import { isJsonObject, type JsonFields } from '@changgu/contract';

/** Null for anything but a JSON object. */
export function parseJsonObject(text: string): JsonFields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
