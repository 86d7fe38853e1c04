import { Ajv, type Options, type ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { invalidShape } from '../service-error.ts';
import { violationsOf } from './violations.ts';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

const strictness: Options = {
  allErrors: true,
  removeAdditional: false,
  allowUnionTypes: true,
  strictRequired: false,
  // Schemas may describe themselves with keywords of our own.
  strictSchema: false,
  // The same component stands in many operations.
  addUsedSchema: false,
};

function createAjv(options: Options): Ajv {
  const ajv = new Ajv({ ...strictness, ...options });
  ajvFormats.default(ajv);
  ajv.addFormat('uuid4', UUID_V4);
  return ajv;
}

// What stands in a URL is text and must be coerced; a body says what it means (anchors C1).
const bodies = createAjv({ coerceTypes: false });
const texts = createAjv({ coerceTypes: 'array', useDefaults: true });

const PARTS: Readonly<Record<string, 'body' | 'query' | 'path' | 'header'>> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'header',
};

/** Fastify's validator: one Ajv per part, schemas compiled on first use so that starting stays fast. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const part = PARTS[httpPart ?? 'body'] ?? 'body';
  const ajv = part === 'body' ? bodies : texts;
  let validate: ValidateFunction | undefined;
  return (value: unknown) => {
    validate ??= ajv.compile(schema);
    if (validate(value)) return { value };
    return { error: invalidShape(violationsOf(part, value, validate.errors ?? [])) };
  };
};

/** Says how a value departs from a schema; for answers, in tests and development. */
export function departures(schema: TSchema, value: unknown): string | null {
  const validate = bodies.compile(schema);
  return validate(value) ? null : bodies.errorsText(validate.errors, { dataVar: 'answer' });
}
