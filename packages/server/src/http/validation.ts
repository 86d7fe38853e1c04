import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { invalidShape } from '../rules/service-error.ts';
import { shapeCheck } from '../validation/shape-check.ts';
import { unusableTexts } from '../validation/unusable-texts.ts';

const PARTS: Readonly<Record<string, 'body' | 'query' | 'path' | 'header'>> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'header',
};

/** Fastify's validator: bodies are checked strictly, URL parameters are coerced. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const part = PARTS[httpPart ?? 'body'] ?? 'body';
  const shape = shapeCheck(schema, [part], part === 'body' ? 'json' : 'text');
  return (value: unknown) => {
    const misshapen = shape(value);
    const isBody = part === 'body' && misshapen.length === 0;
    const violations = isBody ? unusableTexts(value, [part]) : misshapen;
    return violations.length === 0 ? { value } : { error: invalidShape(violations) };
  };
};
