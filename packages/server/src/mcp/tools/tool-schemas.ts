import { JOB_STATES, LIMITS, LINE_STATES } from '@changgu/contract';
import {
  type CatalogueAction,
  type JsonObjectSchema,
  type JsonSchema,
  orNull,
  portableOutput,
  portableParams,
} from '@changgu/contract/catalogue';

const text = (description: string, more: JsonSchema = {}): JsonSchema => ({
  type: 'string',
  description,
  ...more,
});

const object = (
  description: string,
  properties: JsonObjectSchema['properties'] = {},
): JsonSchema => ({ type: 'object', description, properties });

/** Names in `arguments` that are the service's own; no action has a param of such a name (D134). */
export const RESERVED_ARGUMENTS = {
  account_link_id: text('Link (연결 계정) to use; omitted: the representative or only one'),
  request_id: text(
    'Idempotency key, best a UUID. Repeat a call with the same one and the job is not submitted again',
    { minLength: LIMITS.idempotencyKey.min, maxLength: LIMITS.idempotencyKey.max },
  ),
  all_accounts: {
    type: 'boolean',
    description: 'True: one job for every registered account',
    default: false,
  },
  bank_account_credential_ids: {
    type: 'array',
    description: 'One job for each of these accounts',
    items: { type: 'string' },
    minItems: 1,
  },
  encrypted_fields: object(
    'Values that the calling program encrypted with the public key of the service (RSA-OAEP, base64), by name. Never plain text, and nothing a model should make up',
  ),
} as const satisfies Readonly<Record<string, JsonSchema>>;

/** What a tool takes: the action's params and the reserved arguments, side by side (D134). */
export function inputSchemaOf(action: CatalogueAction): JsonObjectSchema {
  const { account_link_id, request_id, all_accounts, bank_account_credential_ids } =
    RESERVED_ARGUMENTS;
  const { encrypted_fields } = RESERVED_ARGUMENTS;
  const required = [
    ...(action.params.required ?? []),
    ...(action.irreversible ? ['request_id'] : []),
  ];
  return {
    type: 'object',
    properties: {
      ...portableParams(action.params),
      ...(action.selectsAccount && { bank_account_credential_ids, all_accounts }),
      ...(Object.keys(action.encryptedFields).length > 0 && { encrypted_fields }),
      account_link_id,
      request_id,
    },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

export const jobResultInputSchema: JsonObjectSchema = {
  type: 'object',
  properties: { job_id: text('Job to read, as a tool call named it') },
  required: ['job_id'],
  additionalProperties: false,
};

const error: JsonSchema = {
  type: 'object',
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    safe_to_retry: { type: 'boolean' },
    next_action: text('What to do next'),
  },
};

const result = (data: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: {
    schema: { type: 'string' },
    data,
    download_url: { type: 'string' },
    artifacts: { type: 'array', items: { type: 'object' } },
  },
});

/** Which of them there are follows from the status; the description of the tool says the rest. */
const oneJob = (data: JsonSchema): JsonObjectSchema['properties'] => ({
  job_id: { type: 'string' },
  status: { type: 'string', enum: [...JOB_STATES] },
  result: result(data),
  error,
  result_tool_call: { type: 'object' },
});

const allAccounts: JsonObjectSchema['properties'] = {
  all_accounts: { type: 'boolean' },
  summary: { type: 'string' },
  accounts: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        bank_account_credential_id: { type: 'string' },
        masked_account_no: { type: 'string' },
        job_id: orNull({ type: 'string' }, 'Null for NOT_SUBMITTED'),
        status: { type: 'string', enum: [...LINE_STATES] },
        result: { type: 'object' },
        error,
        reason: { type: 'string', enum: ['over_concurrency_limit', 'interrupted'] },
        result_tool_call: { type: 'object' },
      },
    },
  },
  next: orNull({ type: 'object' }, 'What remains: {tool_call: {name, arguments}, message}'),
  interruption: { type: 'object' },
};

/** What a tool answers: one job, or a line per account (spec "Tool protocol", D126, D154). */
export function outputSchemaOf(action: CatalogueAction): JsonObjectSchema {
  const description = 'Data of the action; in sandbox mock and params_echo in its place';
  const data = { ...portableOutput(action.result), description };
  const properties = { ...oneJob(data), ...(action.selectsAccount && allAccounts) };
  return { type: 'object', properties };
}

export const jobResultOutputSchema: JsonObjectSchema = {
  type: 'object',
  properties: oneJob({ type: 'object' }),
};
