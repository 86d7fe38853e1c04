import { InvalidResponseError } from '../errors/transport-errors.ts';
import { withFacts } from '../errors/with-facts.ts';
import { faultIn, type Shape } from '../shape.ts';
import { type Camelized, camelize } from '../wire-case.ts';
import type { Answer } from './core.ts';

/**
 * The body of a 2xx answer in camelCase, after checking what this package relies on: a broken service or something in
 * between may have written it.
 * @throws InvalidResponseError with the facts of its call
 */
export function bodyOf<T extends object>(answer: Answer, shape?: Partial<Shape<T>>): Camelized<T> {
  const body = wireBodyOf<T>(answer, shape);
  try {
    return camelize(body);
  } catch (cause) {
    throw invalid(answer, 'it is too deep', cause);
  }
}

/** The same with the names of the wire. */
export function wireBodyOf<T extends object>(answer: Answer, shape: Partial<Shape<T>> = {}): T {
  const fault = faultIn(answer.body, shape);
  if (fault !== null) throw invalid(answer, fault);
  // The operation's contract says the rest.
  return answer.body as T;
}

function invalid({ status, facts }: Answer, what: string, cause?: unknown): InvalidResponseError {
  return withFacts(new InvalidResponseError(status, what, { cause }), facts);
}
