import type {
  CatalogueAction,
  CatalogueInstitution,
  JsonObjectSchema,
} from '@changgu/contract/catalogue';
import type { RequestOptions } from '../client-options.ts';
import { InvalidResponseError } from '../errors/transport-errors.ts';
import type { Sender } from '../operations/sender.ts';

/** See Changgu.ownInstitutions. */
export async function readOwnInstitutions(
  sender: Sender,
  options?: RequestOptions,
): Promise<readonly CatalogueInstitution[]> {
  const route = { method: 'GET', path: '/openapi.json', as: 'anonymous' } as const;
  const { status, body } = await sender.sendTo(route, {}, options);
  if (!isRecord(body)) throw new InvalidResponseError(status, 'it is not an OpenAPI document');
  // Absent when there are none.
  const own = body['x-own-institutions'] ?? [];
  if (!Array.isArray(own) || !own.every(isInstitution)) {
    throw new InvalidResponseError(status, 'its own institutions are not as the catalog has them');
  }
  return own;
}

type Check = (value: unknown) => boolean;
/** The compiler keeps it complete. Additional fields of a newer service are ignored. */
type Checks<T> = Readonly<Record<keyof T, Check>>;

const isString: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number';
const isBoolean: Check = (value) => typeof value === 'boolean';
const isText: Check = (value) => fits(value, { ko: isString, en: isString });

const isSchema: Check = (value) =>
  fits<Pick<JsonObjectSchema, 'type' | 'properties' | 'required'>>(value, {
    type: oneOf('object'),
    properties: recordOf(isRecord),
    required: (names) => names === undefined || listOf(isString)(names),
  });

const ACTION: Checks<CatalogueAction> = {
  id: isString,
  provider: isString,
  title: isText,
  description: isText,
  usageTokens: isNumber,
  irreversible: isBoolean,
  selectsAccount: isBoolean,
  link: oneOf('required', 'optional'),
  needsSession: isBoolean,
  loginAction: orNull(isString),
  timeoutSeconds: isNumber,
  encryptedFields: recordOf(isText),
  publicTool: isBoolean,
  toolName: isString,
  file: orNull((file) => fits(file, { format: oneOf('xlsx', 'pdf', 'any'), task: isString })),
  // Its paths belong to one of the built-in institutions.
  taxPortal: oneOf(null),
  ownerKind: oneOf('business', 'individual', null),
  params: isSchema,
  result: isSchema,
};

const INSTITUTION: Checks<CatalogueInstitution> = {
  provider: isString,
  title: isText,
  kind: oneOf('bank', 'tax', 'employment', 'social_insurance', 'other'),
  linkTypes: listOf(oneOf('certificate', 'id_password', 'consent')),
  consentFeatures: listOf(isString),
  actions: listOf((action) => fits(action, ACTION)),
};

function isInstitution(value: unknown): value is CatalogueInstitution {
  return fits(value, INSTITUTION);
}

function fits<T>(value: unknown, checks: Checks<T>): boolean {
  return (
    isRecord(value) && Object.entries<Check>(checks).every(([name, check]) => check(value[name]))
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function oneOf(...values: readonly unknown[]): Check {
  return (value) => values.includes(value);
}

function orNull(check: Check): Check {
  return (value) => value === null || check(value);
}

function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every((item) => check(item));
}

function recordOf(check: Check): Check {
  return (value) => isRecord(value) && Object.values(value).every((item) => check(item));
}
