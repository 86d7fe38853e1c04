import type { Operation, OperationResponse } from './define-operation.ts';
import type { ErrorCode } from './errors.ts';
import type { JsonSchema } from './json-schema.ts';
import { extractNamed, type NamedSchemas } from './named-schemas.ts';
import {
  actionExamples,
  actionTable,
  type DescribedInstitution,
} from './openapi/action-examples.ts';
import { codeSamplesOf } from './openapi/code-samples.ts';
import {
  codesOf,
  errorExamples,
  errorResponsesOf,
  RATE_HEADERS,
} from './openapi/error-responses.ts';
import { parametersOf, SHARED_PARAMETERS } from './openapi/parameters.ts';
import { SECURITY_SCHEMES, securityOf } from './openapi/security.ts';
import { TAGS } from './openapi/tags.ts';
import { ErrorEnvelope } from './schemas/error.ts';
import { withFieldTexts } from './texts/field-texts.ts';

export interface OpenApiInput {
  readonly operations: readonly Operation[];
  /** What POST /v1/jobs can submit, including custom institutions. */
  readonly institutions: readonly DescribedInstitution[];
  /** The server's address; by default, wherever the document was read from. */
  readonly publicBaseUrl?: string;
}

/** An OpenAPI 3.1 document as plain data. */
export interface OpenApiDocument extends JsonSchema {
  readonly openapi: '3.1.0';
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
}

const RESPONSE_HEADERS: Readonly<Record<string, string>> = {
  'X-Trace-Id': 'Correlation id of this call',
  'Retry-After': 'Seconds until another try is worth while',
  'WWW-Authenticate': 'How to authenticate',
  RateLimit: 'What is left of your rate limit, and the seconds until it is whole again',
  'RateLimit-Policy': 'Your rate limit and its window in seconds',
};

const DESCRIPTION = `One window to many institutions. Every institution call is a job: submit it, poll it, read its result.

Environments (\`X-Env-Scope\`): \`sandbox\` answers with mock data, \`real_test\` is the demo environment, \`production\` needs a paid plan. What is marked \`x-addition\` goes beyond the specification.`;

/**
 * The OpenAPI 3.1 document of the operations: every schema with an `$id` becomes a component,
 * every operation gets the errors of its kind beside its own, additions carry `x-addition`.
 */
export function buildOpenApi({
  operations,
  institutions,
  publicBaseUrl = '/',
}: OpenApiInput): OpenApiDocument {
  const named: NamedSchemas = new Map();
  const toSchema = (schema: object) => extractNamed(schema, named, toReference);
  toSchema(ErrorEnvelope);
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of operations) {
    const method = operation.method.toLowerCase();
    const item = operationObject(operation, institutions, toSchema);
    paths[operation.path] = { ...paths[operation.path], [method]: item };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Changgu',
      version: '2.0.0',
      summary: 'Institution data-access job service',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicBaseUrl }],
    tags: tagsOf(operations),
    paths,
    components: {
      schemas: Object.fromEntries(
        [...named]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, schema]) => [name, withFieldTexts(schema, name)]),
      ),
      parameters: SHARED_PARAMETERS,
      headers: headerObjects(RESPONSE_HEADERS),
      examples: errorExamples(operations.flatMap<ErrorCode>(codesOf)),
      securitySchemes: SECURITY_SCHEMES as Readonly<Record<string, JsonSchema>>,
    },
  };
}

function toReference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

function operationObject(
  operation: Operation,
  institutions: readonly DescribedInstitution[],
  toSchema: (schema: object) => JsonSchema,
): JsonSchema {
  const {
    id,
    tag,
    summary,
    description,
    may,
    scope,
    body,
    bodyRequired = true,
    addition,
  } = operation;
  const submits = id === 'submitJob';
  const text = submits ? `${description}\n\n${actionTable(institutions)}` : description;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(text === undefined ? {} : { description: text }),
    security: securityOf(may, scope),
    parameters: parametersOf(operation, toSchema),
    ...(body && {
      requestBody: {
        required: bodyRequired,
        content: {
          'application/json': {
            schema: toSchema(body),
            ...(submits && { examples: actionExamples(institutions) }),
          },
        },
      },
    }),
    responses: {
      ...errorResponsesOf(operation, toSchema),
      ...Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [
          status,
          responseObject(response, may !== 'anyone', toSchema),
        ]),
      ),
    },
    'x-codeSamples': codeSamplesOf(operation),
    ...(addition && { 'x-addition': true }),
  };
}

function responseObject(
  {
    description,
    schema,
    contentType = 'application/json',
    streamType,
    headers = {},
  }: OperationResponse,
  isLimited: boolean,
  toSchema: (schema: object) => JsonSchema,
): JsonSchema {
  const hasContent = schema !== undefined || contentType !== 'application/json';
  return {
    description,
    headers: {
      ...Object.fromEntries(
        ['X-Trace-Id', ...(isLimited ? RATE_HEADERS : [])].map((name) => [
          name,
          { $ref: `#/components/headers/${name}` },
        ]),
      ),
      ...headerObjects(headers),
    },
    ...(hasContent && {
      content: {
        [contentType]: schema ? { schema: toSchema(schema) } : {},
        ...(streamType && { [streamType]: { schema: { type: 'string' } } }),
      },
    }),
  };
}

function headerObjects(headers: Readonly<Record<string, string>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  );
}

/** The tags in use, those with a place in the documentation first. */
function tagsOf(operations: readonly Operation[]): readonly JsonSchema[] {
  const used = new Set(operations.map(({ tag }) => tag));
  const known = Object.keys(TAGS).filter((tag) => used.delete(tag));
  return [...known, ...used].map((name) => ({ name, description: TAGS[name] ?? name }));
}
