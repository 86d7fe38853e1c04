/** Whether a value is what it should be. */
export type Check = (value: unknown) => boolean;
/** Checks by property. Others are ignored, because a newer service may send them. */
export type Shape<T> = Readonly<Record<keyof T, Check>>;

export const isString: Check = (value) => typeof value === 'string';
export const isNumber: Check = (value) => typeof value === 'number';
export const isBoolean: Check = (value) => typeof value === 'boolean';

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `Object` for plain objects and those of classes, of whatever realm; `Date`, `Map`, `BigInt` … */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** What is wrong with a value; null when it fits. */
export function faultIn<T>(value: unknown, shape: Partial<Shape<T>>): string | null {
  if (!isRecord(value)) return 'it is not an object';
  const checks = Object.entries<Check | undefined>(shape);
  const wrong = checks.find(([name, check]) => check?.(value[name]) === false);
  return wrong ? `it has no valid ${wrong[0]}` : null;
}

/* @__NO_SIDE_EFFECTS__ */
export function like<T>(shape: Shape<T>): Check {
  return (value) => faultIn(value, shape) === null;
}

/* @__NO_SIDE_EFFECTS__ */
export function oneOf(...values: readonly unknown[]): Check {
  return (value) => values.includes(value);
}

/* @__NO_SIDE_EFFECTS__ */
export function orNull(check: Check): Check {
  return (value) => value === null || check(value);
}

/** Also null. */
/* @__NO_SIDE_EFFECTS__ */
export function optional(check: Check): Check {
  return (value) => value === undefined || value === null || check(value);
}

/* @__NO_SIDE_EFFECTS__ */
export function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every((item) => check(item));
}

/* @__NO_SIDE_EFFECTS__ */
export function recordOf(check: Check): Check {
  return (value) => isRecord(value) && Object.values(value).every((item) => check(item));
}
