import type { EnvScope } from '@changgu/contract';
import { TokenError } from '../errors/local-errors.ts';

/** What every stored token says of where it belongs. */
export interface TokenFacts {
  readonly v: 1;
  readonly kind: string;
  /** Base URL of the service it belongs to. */
  readonly origin: string;
  readonly envScope: EnvScope;
}

/** The client that a token must belong to. */
export interface TokenHome {
  readonly baseUrl: string;
  readonly envScope: EnvScope;
}

/**
 * Refuses what was stored by another version, for another service or another environment. Never says what it
 * was given: a token comes from outside.
 * @throws TokenError
 */
export function checkToken<T extends TokenFacts>(
  value: unknown,
  kind: T['kind'],
  home: TokenHome,
  texts: readonly (keyof T & string)[],
): asserts value is T {
  if (typeof value !== 'object' || value === null) throw new TokenError(`This is no ${kind}.`);
  const get = (name: string): unknown => Reflect.get(value, name);
  if (get('kind') !== kind) throw new TokenError(`This is no ${kind}.`);
  if (get('v') !== 1) throw new TokenError(`This ${kind} is of an unknown version.`);
  if (get('origin') !== home.baseUrl) throw new TokenError(`This ${kind} is of another service.`);
  if (get('envScope') !== home.envScope) {
    throw new TokenError(`This ${kind} is of another environment.`);
  }
  const broken = texts.find((name) => typeof get(name) !== 'string');
  if (broken) throw new TokenError(`This ${kind} has no valid ${broken}.`);
}
