import type { ErrorCode } from '@changgu/contract';
import type { Operation } from '@changgu/contract/schemas';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { asStored } from '../rules/identity/account-id.ts';
import {
  type FieldViolation,
  HOLDS_NUL,
  invalidShape,
  ServiceError,
} from '../rules/service-error.ts';
import { shapeCheck } from '../validation/shape-check.ts';
import { unusableTexts } from '../validation/unusable-texts.ts';

type Part = 'body' | 'query' | 'path' | 'header';
type Refuse = (part: Part, fields: readonly FieldViolation[]) => ServiceError;

const PARTS: Readonly<Record<string, Part>> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'header',
};

/** Fastify's validator: bodies are checked strictly, URL parameters are coerced. */
function compilerWith(refuse: Refuse): FastifySchemaCompiler<TSchema> {
  return ({ schema, httpPart }) => {
    const part = PARTS[httpPart ?? 'body'] ?? 'body';
    const shape = shapeCheck(schema, [part], part === 'body' ? 'json' : 'text');
    return (value: unknown) => {
      const misshapen = shape(value);
      const isBody = part === 'body' && misshapen.length === 0;
      const violations = isBody ? unusableTexts(value, [part]) : misshapen;
      if (violations.length > 0) return { error: refuse(part, violations) };
      return { value: part === 'path' ? withStoredIds(value) : value };
    };
  };
}

function withStoredIds(params: unknown): unknown {
  const sent: object = params ?? {};
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      typeof value === 'string' ? asStored(value) : value,
    ]),
  );
}

export const validatorCompiler = compilerWith((_part, fields) => invalidShape(fields));

/** The validator of an operation. `address` is the error for any other path and query than it makes itself. */
export function validatorOf(
  { id, errors, params, notFound = {} }: Pick<Operation, 'id' | 'errors' | 'params' | 'notFound'>,
  address: ErrorCode | undefined,
): FastifySchemaCompiler<TSchema> {
  const names = Object.keys(params?.properties ?? {});
  const [only = UNKNOWN, ...more] = errors.filter((code) => code.endsWith('_NOT_FOUND'));
  if (more.length > 0 && !names.every((name) => name in notFound)) {
    throw new TypeError(`${id} does not say which path parameter its ${only} is about`);
  }
  return compilerWith((part, fields) => {
    if (address !== undefined && part !== 'body') return new ServiceError(address);
    if (part !== 'path' || !fields.every(namesNothing)) return invalidShape(fields);
    // A path goes from the whole to its part.
    const first = names.find((name) => fields.some(({ loc }) => loc[1] === name)) ?? '';
    return new ServiceError(notFound[first] ?? only);
  });
}

const UNKNOWN: ErrorCode = 'RESOURCE_NOT_FOUND';

/** Of the right type, but longer, larger or smaller than any id, or a text that no database keeps. */
const NO_ID = ['string_too_long', 'greater_than_equal', 'less_than_equal', 'string_unicode'];

function namesNothing({ type }: FieldViolation): boolean {
  return type === HOLDS_NUL.type || NO_ID.includes(type);
}
