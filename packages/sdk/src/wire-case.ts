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

/** The one place where what was received turns to camelCase. */
export function camelize<T>(wire: T): Camelized<T>;
export function camelize(wire: unknown): unknown {
  return rename(wire, toCamel);
}

/** The one place where what is sent turns to snake_case. */
export function snakeize(value: unknown): unknown {
  return rename(value, toSnake);
}

/** The path or query of an operation. They hold text, numbers and lists; operation-url.ts writes each as text. */
export function snakeRecord(record: object | undefined): Record<string, string | number> {
  const entries = Object.entries(record ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [toSnake(name), value]));
}

type Translate = (name: string) => string;

function rename(value: unknown, translate: Translate): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, translate));
  // Dates and the like have their own form in JSON, or none.
  if (tagOf(value) !== 'Object') return value;
  // fromEntries defines properties, so a `__proto__` in an answer stays a mere name.
  return Object.fromEntries(
    Object.entries(Object(value)).map(([key, inner]) => {
      const name = translate(key);
      const isOpaque = OPAQUE_NAMES.has(key) || OPAQUE_NAMES.has(name);
      return [name, isOpaque ? inner : rename(inner, translate)];
    }),
  );
}

const toCamel = /* @__PURE__ */ remembered((name) =>
  name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
);

/** The one name of the wire that is not in snake_case. */
const KEPT = 'serverTransmissionData';

const toSnake = /* @__PURE__ */ remembered((name) =>
  name === KEPT ? name : name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
);

/** Names come from a small vocabulary; a hostile server must not grow the memory without end. */
function remembered(make: Translate): Translate {
  const names = new Map<string, string>();
  return (name) => {
    const made = names.get(name) ?? make(name);
    if (names.size < 1000) names.set(name, made);
    return made;
  };
}
