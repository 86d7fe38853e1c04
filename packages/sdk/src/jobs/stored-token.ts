import type { EnvScope } from '@changgu/contract';
import { TokenError } from '../errors/local-errors.ts';

/** Where a stored token belongs. */
export interface TokenFacts {
  readonly v: number;
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

interface Expected<T extends TokenFacts> {
  readonly kind: T['kind'];
  readonly version: T['v'];
  /** Properties that must be text. */
  readonly texts: readonly (keyof T & string)[];
}

/**
 * Refuses tokens of another version, service or environment. The error never quotes the token, because it
 * comes from outside.
 * @throws TokenError
 */
export function checkToken<T extends TokenFacts>(
  value: unknown,
  { kind, version, texts }: Expected<T>,
  home: TokenHome,
): asserts value is T {
  const name = NAMES[kind] ?? kind;
  if (typeof value !== 'object' || value === null) throw new TokenError(`Not a ${name}.`);
  const get = (property: string): unknown => Reflect.get(value, property);
  if (get('kind') !== kind) throw new TokenError(`Not a ${name}.`);
  if (get('v') !== version) throw new TokenError(`The ${name} is of an unknown version.`);
  if (get('origin') !== home.baseUrl) throw new TokenError(`The ${name} is of another service.`);
  if (get('envScope') !== home.envScope) {
    throw new TokenError(`The ${name} is of another environment.`);
  }
  const broken = texts.find((property) => typeof get(property) !== 'string');
  if (broken) throw new TokenError(`The ${name} has no valid ${broken}.`);
}

const NAMES: Readonly<Record<string, string>> = {
  job: 'job token',
  submission: 'prepared submission',
  'all-accounts': 'checkpoint',
};
