import { type CallFacts, ChangguError } from './changgu-error.ts';

/** Adds the facts of the call to an error of the SDK; what is already known stays, and other errors are left alone. */
export function withFacts<E>(error: E, facts: Partial<CallFacts>): E {
  if (!(error instanceof ChangguError)) return error;
  for (const [name, value] of Object.entries(facts)) {
    if (value !== null && value !== undefined && !Reflect.get(error, name)) {
      Reflect.set(error, name, value);
    }
  }
  return error;
}
