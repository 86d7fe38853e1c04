import type { Logger } from './http.ts';
import { redactText } from './redaction.ts';

/** Calls a caller's function; what it throws or rejects with is only logged. */
export function notify<T>(
  name: string,
  listener: ((value: T) => unknown) | undefined,
  value: T,
  logger: Logger | undefined,
): void {
  const note = (error: unknown) =>
    logger?.error(`${name} threw`, { error: redactText(String(error)) });
  try {
    // It may be an async function.
    Promise.resolve(listener?.(value)).catch(note);
  } catch (error) {
    note(error);
  }
}
