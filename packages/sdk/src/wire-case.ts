import { OPAQUE_NAMES as OPAQUE } from '@changgu/contract';
import { tagOf } from './shape.ts';

type Opaque = (typeof OPAQUE)[number];
const OPAQUE_NAMES: ReadonlySet<string> = /* @__PURE__ */ new Set(OPAQUE);

/** `bank_account_id` → `bankAccountId`. */
export type CamelName<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelName<Tail>>}`
  : S;

/** A wire type in the case of TypeScript, at every depth but inside opaque values. */
export type Camelized<T> = T extends readonly (infer Item)[]
  ? Camelized<Item>[]
  : T extends object
    ? {
        [Name in keyof T as Name extends string ? CamelName<Name> : Name]: Name extends Opaque
          ? T[Name]
          : Camelized<T[Name]>;
      }
    : T;

const camelNames = new Map<string, string>();
const snakeNames = new Map<string, string>();

/** The one place where what was received turns to camelCase. */
export function camelize<T>(wire: T): Camelized<T>;
export function camelize(wire: unknown): unknown {
  return rename(wire, (name) => {
    const camel = memo(camelNames, name, toCamel);
    return { name: camel, opaque: OPAQUE_NAMES.has(name) };
  });
}

/** The one place where what is sent turns to snake_case. */
export function snakeize(value: unknown): unknown {
  return rename(value, (name) => {
    const snake = memo(snakeNames, name, toSnake);
    return { name: snake, opaque: OPAQUE_NAMES.has(snake) };
  });
}

function rename(
  value: unknown,
  translate: (name: string) => { name: string; opaque: boolean },
): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, translate));
  // Dates and the like have their own form in JSON, or none.
  if (tagOf(value) !== 'Object') return value;
  // fromEntries defines properties, so a `__proto__` in an answer stays a mere name.
  return Object.fromEntries(
    Object.entries(Object(value)).map(([key, inner]) => {
      const { name, opaque } = translate(key);
      return [name, opaque ? inner : rename(inner, translate)];
    }),
  );
}

function toCamel(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** The one name of the wire that is not in snake_case. */
const KEPT = 'serverTransmissionData';

function toSnake(name: string): string {
  return name === KEPT ? name : name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Names come from a small vocabulary; a hostile server must not grow the memory without end. */
function memo(names: Map<string, string>, name: string, make: (name: string) => string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  const made = make(name);
  if (names.size < 1000) names.set(name, made);
  return made;
}

/** The path or query of an operation. They hold text, numbers and lists; operation-url.ts writes each as text. */
export function snakeRecord(record: object | undefined): Record<string, string | number> {
  const snake = (name: string) => ({ name: memo(snakeNames, name, toSnake), opaque: true });
  return rename(record ?? {}, snake) as Record<string, string | number>;
}
