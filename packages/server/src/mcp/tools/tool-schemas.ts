import {
  type CatalogueAction,
  type JsonObjectSchema,
  type JsonSchema,
  portableParams,
  RESULT_VIEW_PROPERTIES,
  type ReservedParam,
} from '@changgu/contract/catalogue';

/**
 * The service's own names in `arguments`; no action has a param with such a name. They appear in every tool
 * and cost tokens there, so the instructions explain them once.
 */
export const RESERVED_ARGUMENTS = {
  account_link_id: { type: 'string' },
  request_id: { type: 'string' },
  all_accounts: { type: 'boolean' },
  bank_account_credential_ids: { type: 'array', minItems: 1, items: { type: 'string' } },
  encrypted_fields: { type: 'object' },
  view: { type: 'object' },
  confirm_token: { type: 'string' },
} as const satisfies Readonly<Record<Exclude<ReservedParam, 'wait_seconds'>, JsonSchema>>;

/** A tool's input: the action's params and the reserved arguments, side by side. */
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

/** Limits that the service checks anyway: its refusal names them. */
const CHECKED: ReadonlySet<string> = new Set([
  'default',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'uniqueItems',
]);

/**
 * What a model needs to fill the param in: its type, a few words, how a date is written, and the choice where the
 * values are words. Codes say nothing without their meanings, which are in the description of the action, as the
 * default is.
 */
function briefly(whole: JsonSchema, label: unknown): JsonSchema {
  const { description, pattern, ...schema } = withoutCodes(whole);
  const hasLabel = typeof label === 'string';
  const words = schema.enum !== undefined ? '' : hasLabel ? label : wordsOf(description);
  const isTold = hasLabel || DATE_FORM.test(words);
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([keyword]) => !CHECKED.has(keyword))),
    ...(pattern !== undefined && !isTold && { pattern }),
    ...(words !== '' && { description: words }),
  };
}

/** Of a value, or of each item of a list. */
function withoutCodes(schema: JsonSchema): JsonSchema {
  const { enum: values, items, ...rest } = schema;
  const isCode = (value: unknown) => typeof value === 'string' && /\d/.test(value);
  // An object is read by its keywords, as every schema is.
  if (typeof items === 'object' && items !== null) {
    return { ...rest, items: withoutCodes({ ...items }) };
  }
  return Array.isArray(values) && values.some(isCode) ? rest : schema;
}

const DATE_FORM = /\bYYYY[A-Z-]*/;

/** The beginning of a description unless it tells of one value only, and the form of a date. */
function wordsOf(description: unknown): string {
  if (typeof description !== 'string') return '';
  const [head = ''] = description.split(/[,:;(]/);
  const isUsable = head.length <= MAX_BRIEF_CHARACTERS && head !== 'true' && head !== 'false';
  const words = isUsable ? head.trim() : '';
  const [form = ''] = DATE_FORM.exec(description) ?? [];
  return words === '' || form === '' ? words + form : `${words}, ${form}`;
}

/** The input of a tool of the service itself. It takes a `request_id` as every tool does, also where none is needed. */
export function coreInput(
  properties: JsonObjectSchema['properties'],
  required: readonly string[] = [],
): JsonObjectSchema {
  const { request_id } = RESERVED_ARGUMENTS;
  return {
    type: 'object',
    properties: { ...properties, request_id },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

export const JOB_RESULT_INPUT = coreInput(
  { job_id: { type: 'string' }, ...RESULT_VIEW_PROPERTIES },
  ['job_id'],
);

export const RUN_INPUT = coreInput(
  { action: { type: 'string' }, params: { type: 'object' }, ...RESERVED_ARGUMENTS },
  ['action'],
);
