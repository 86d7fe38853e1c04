import type { Text } from '../action.ts';
import type { Kind } from './kinds.ts';

export type Program = 'server' | 'sdk' | 'cli' | 'mcp';

interface VariableText {
  readonly programs: readonly Program[];
  readonly description: Text;
  /** When it is required, in words. */
  readonly required?: Text;
  /** Never shown, never logged. */
  readonly secret?: true;
}

export interface Variable<T, D extends string | null> extends VariableText {
  readonly name: string;
  readonly kind: Kind<T>;
  /** Parsed like a given value; null when there is none. */
  readonly default: D;
  /** One variable per provider: its name ends with the provider in capitals. */
  readonly perProvider?: true;
}

/** Any variable, whatever its type. */
export type AnyVariable = Variable<unknown, string | null>;

export function variable<T, const D extends string | null>(
  name: string,
  kind: Kind<T>,
  defaultText: D,
  rest: VariableText,
): Variable<T, D> {
  return { name: `CHANGGU_${name}`, kind, default: defaultText, ...rest };
}
