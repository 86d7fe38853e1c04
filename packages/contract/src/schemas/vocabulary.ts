import { type Static, type TSchema, Type } from 'typebox';
import type { Text } from '../action.ts';
import { ENV_SCOPES } from '../principals.ts';

/** `schema` or null, as a type array: its validation errors stay those of the schema itself. */
export function nullable<S extends TSchema>(schema: S) {
  const { type, enum: values } = schema as { type?: string; enum?: readonly unknown[] };
  if (type === undefined || type === 'object') {
    return Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }] });
  }
  return Type.Unsafe<Static<S> | null>({
    ...schema,
    type: [type, 'null'],
    ...(values ? { enum: [...values, null] } : {}),
  });
}

/** Marks what the base specification does not have. Beside a named schema, it marks its use here. */
export function addition<S extends TSchema>(schema: S) {
  return Type.Unsafe<Static<S>>({ ...schema, 'x-addition': true });
}

/** One of these strings. */
export function oneOf<const V extends readonly string[]>(
  values: V,
  options: {
    description?: string;
    default?: V[number];
    'x-description-ko'?: string;
    /** What a Korean form calls it. */
    'x-label'?: string;
    'x-addition'?: true;
    /** What each value is called. */
    'x-texts'?: Readonly<Record<string, Text>>;
  } = {},
) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options });
}

/** The only form of a time that the service answers. */
export const KST_TIME = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}\\+09:00$';

/** ISO-8601 with milliseconds and the +09:00 offset. */
export const KstTime = Type.String({
  format: 'date-time',
  pattern: KST_TIME,
  description: 'ISO-8601 in Korean time, milliseconds, offset +09:00',
  examples: ['2026-11-21T09:00:00.000+09:00'],
});

export const EnvScope = oneOf(ENV_SCOPES, { description: 'Environment of a call' });

export const JobId = Type.String({
  pattern: '^job_[0-9A-HJKMNP-TV-Z]{26}$',
  description: 'job_ and a ULID',
});

export const ArtifactId = Type.String({
  pattern: '^art_[0-9A-HJKMNP-TV-Z]{26}$',
  description: 'art_ and a ULID',
});

export const UuidV4 = Type.String({
  format: 'uuid4',
  minLength: 1,
  description: 'UUID v4',
});

/** Any JSON object. */
export const JsonObject = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
});

/** Any names. TypeBox's own record describes names by a pattern, which none with a line break matches. */
export function byName<S extends TSchema>(values: S, options: { readonly description: string }) {
  return Type.Unsafe<Record<string, Static<S>>>({
    type: 'object',
    additionalProperties: values,
    ...options,
  });
}

/** An object with exactly these properties. */
export const strict = { additionalProperties: false } as const;
