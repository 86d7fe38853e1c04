import type { EnvScope } from '@changgu/contract';
import { TokenError } from '../errors/local-errors.ts';
import { faultIn, isRecord, type Shape } from '../shape.ts';

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
  /** The further properties that are relied on. */
  readonly shape: Partial<Shape<T>>;
}

/**
 * Refuses tokens of another version, service or environment. The error never quotes the token, because it
 * comes from outside.
 * @throws TokenError
 */
export function checkToken<T extends TokenFacts>(
  value: unknown,
  { kind, version, shape }: Expected<T>,
  home: TokenHome,
): asserts value is T {
  const name = NAMES[kind] ?? kind;
  if (!isRecord(value) || value.kind !== kind) throw new TokenError(`Not a ${name}.`);
  if (value.v !== version) throw new TokenError(`The ${name} is of an unknown version.`);
  if (value.origin !== home.baseUrl) throw new TokenError(`The ${name} is of another service.`);
  if (value.envScope !== home.envScope) {
    throw new TokenError(`The ${name} is of another environment.`);
  }
  const fault = faultIn(value, shape);
  if (fault !== null) throw new TokenError(`Not a ${name}: ${fault}.`);
}

const NAMES: Readonly<Record<string, string>> = {
  job: 'job token',
  submission: 'prepared submission',
  'all-accounts': 'checkpoint',
};
