import type { TObject } from 'typebox';
import type { Operation } from '../define-operation.ts';
import type { JsonSchema } from '../json-schema.ts';
import { LIMITS } from '../limits.ts';
import { ENV_SCOPES } from '../principals.ts';

const environment = {
  name: 'X-Env-Scope',
  in: 'header',
  schema: { type: 'string', enum: ENV_SCOPES },
};
const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Made once per logical request, e.g. a UUID v4; the same key with the same request returns the same job, as long as that is kept: 30 days after its end unless the operator decided otherwise',
  schema: {
    type: 'string',
    minLength: LIMITS.idempotencyKey.min,
    maxLength: LIMITS.idempotencyKey.max,
  },
};

/** Request headers that many operations share, by component name. */
export const SHARED_PARAMETERS = {
  EnvScope: { ...environment, required: true, description: 'Environment of the call' },
  EnvScopeOfClient: {
    ...environment,
    required: false,
    description: 'Environment of the call; required for client credentials',
  },
  EnvScopeOrQuery: {
    ...environment,
    required: false,
    description: 'Environment of the call; send it here or as `env_scope` in the query',
  },
  IdempotencyKey: { ...idempotencyKey, required: true },
  OptionalIdempotencyKey: { ...idempotencyKey, required: false },
  TraceId: {
    name: 'X-Trace-Id',
    in: 'header',
    description: 'Correlation id of the caller; created when absent, and always returned',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_.-]{1,128}$' },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Returned in the response',
    schema: { type: 'string', maxLength: 128 },
  },
  AcceptLanguage: {
    name: 'Accept-Language',
    in: 'header',
    description: 'Language of error messages: Korean, or English with `en`',
    schema: { type: 'string' },
    'x-addition': true,
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

/** Request headers beyond the specification and HTTP itself. */
const ADDED_HEADERS: ReadonlySet<string> = new Set([
  'Prefer',
  'X-Sandbox-Outcome',
  'X-Mcp-Toolsets',
]);

const ENVIRONMENT = {
  required: ['EnvScope'],
  client: ['EnvScopeOfClient'],
  header_or_query: ['EnvScopeOrQuery'],
  none: [],
} as const;
const IDEMPOTENCY = {
  required: ['IdempotencyKey'],
  optional: ['OptionalIdempotencyKey'],
  none: [],
} as const;

/** Path, query and header parameters of an operation. */
export function parametersOf(
  operation: Operation,
  toSchema: (schema: object) => JsonSchema,
): readonly JsonSchema[] {
  const { environment: env, idempotencyKey: key = 'none', requestHeaders = {} } = operation;
  const shared: readonly (keyof typeof SHARED_PARAMETERS)[] = [
    ...ENVIRONMENT[env],
    ...IDEMPOTENCY[key],
    'TraceId',
    'RequestId',
    'AcceptLanguage',
  ];
  const headers = Object.entries(requestHeaders).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
    ...(ADDED_HEADERS.has(name) && { 'x-addition': true }),
  }));
  return [
    ...located(operation.params, 'path', toSchema),
    ...located(operation.query, 'query', toSchema),
    ...headers,
    ...shared.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

function located(
  object: TObject | undefined,
  where: 'path' | 'query',
  toSchema: (schema: object) => JsonSchema,
): readonly JsonSchema[] {
  if (!object) return [];
  const required: readonly string[] = object.required ?? [];
  return Object.entries(object.properties).map(([name, schema]) => {
    const { description, ...rest } = toSchema(schema);
    return {
      name,
      in: where,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}
