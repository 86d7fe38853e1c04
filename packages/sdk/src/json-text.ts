import { ConfigurationError } from './errors/transport-errors.ts';
import { withFacts } from './errors/with-facts.ts';
import { tagOf } from './shape.ts';

/**
 * A value of the caller as JSON. JSON would refuse some values, drop others and turn some to null: then the service
 * would act on other data than the caller's. A property that is undefined counts as absent.
 * @param translate turns it to what is sent
 * @throws ConfigurationError that names the property, never the value
 */
export function jsonText(
  value: unknown,
  idempotencyKey: string | null = null,
  translate: (value: unknown) => unknown = (same) => same,
): string {
  try {
    return JSON.stringify(translate(value), checked);
  } catch (cause) {
    const error =
      cause instanceof ConfigurationError
        ? cause
        : new ConfigurationError('The request is cyclic or too deep.', {
            cause,
          });
    throw withFacts(error, { idempotencyKey });
  }
}

/** @param value after its `toJSON`, which is null for an invalid date */
function checked(this: object, name: string, value: unknown): unknown {
  const tag = tagOf(value ?? Reflect.get(this, name));
  const isAbsent = value === undefined && !Array.isArray(this);
  const isHeld =
    isAbsent || Number.isFinite(value) || /^(Object|Array|String|Boolean|Null)$/.test(tag);
  if (isHeld) return value;
  const what = tag === 'Number' ? String(value) : tag;
  throw new ConfigurationError(`${name} is ${what}, which is not JSON.`);
}
