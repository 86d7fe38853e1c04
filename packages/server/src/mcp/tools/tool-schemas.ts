import {
  type CatalogueAction,
  type JsonObjectSchema,
  type JsonSchema,
  portableParams,
  RESULT_VIEW_PROPERTIES,
} from '@changgu/contract/catalogue';

/**
 * The service's own names in `arguments`; no action has a param with such a name (D134). They appear in every tool
 * and cost tokens there, so the instructions explain them once.
 */
export const RESERVED_ARGUMENTS = {
  account_link_id: { type: 'string' },
  request_id: { type: 'string' },
  all_accounts: { type: 'boolean' },
  bank_account_credential_ids: { type: 'array', items: { type: 'string' } },
  encrypted_fields: { type: 'object' },
  view: { type: 'object' },
  confirm_token: { type: 'string' },
} as const satisfies Readonly<Record<string, JsonSchema>>;

/** A tool's input: the action's params and the reserved arguments, side by side (D134). */
export function inputSchemaOf(action: CatalogueAction): JsonObjectSchema {
  const { confirm_token, encrypted_fields, ...reserved } = RESERVED_ARGUMENTS;
  const { all_accounts, bank_account_credential_ids, view, ...common } = reserved;
  const params = Object.entries(portableParams(action.params)).map(
    ([name, schema]) =>
      [name, briefly(schema, action.params.properties[name]?.['x-label'])] as const,
  );
  const required = [
    ...(action.params.required ?? []),
    ...(action.irreversible ? ['request_id'] : []),
  ];
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(params),
      ...(action.selectsAccount && { all_accounts, bank_account_credential_ids }),
      ...(Object.keys(action.encryptedFields).length > 0 && { encrypted_fields }),
      ...common,
      ...(hasList(action) && { view }),
      ...(action.irreversible && { confirm_token }),
    },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function hasList({ result }: CatalogueAction): boolean {
  return Object.values(result.properties).some(({ type }) => [type].flat().includes('array'));
}

/** What fits on a line; the full text is one call away, in the description of the action. */
const MAX_BRIEF_CHARACTERS = 40;

/** The form's own word for the field if there is one. The action's description tells the default. */
function briefly(whole: JsonSchema, label: unknown): JsonSchema {
  const { description, default: _default, ...schema } = whole;
  if (typeof label === 'string') {
    const { pattern: _pattern, minimum: _minimum, maximum: _maximum, ...shape } = schema;
    return { ...shape, description: label };
  }
  if (typeof description !== 'string' || Array.isArray(schema.enum)) return schema;
  const [head = ''] = description.split(/[:;(]/);
  return head.length > MAX_BRIEF_CHARACTERS ? schema : { ...schema, description: head.trim() };
}

export const JOB_RESULT_INPUT: JsonObjectSchema = {
  type: 'object',
  properties: { job_id: { type: 'string' }, ...RESULT_VIEW_PROPERTIES },
  required: ['job_id'],
  additionalProperties: false,
};

export const RUN_INPUT: JsonObjectSchema = {
  type: 'object',
  properties: {
    action: { type: 'string' },
    params: { type: 'object' },
    ...RESERVED_ARGUMENTS,
  },
  required: ['action'],
  additionalProperties: false,
};
