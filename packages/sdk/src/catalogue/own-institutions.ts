import type {
  CatalogueAction,
  CatalogueInstitution,
  JsonObjectSchema,
} from '@changgu/contract/catalogue';
import type { RequestOptions } from '../client-options.ts';
import type { Sender } from '../operations/sender.ts';
import { wireBodyOf } from '../request/answer-body.ts';
import {
  isBoolean,
  isNumber,
  isRecord,
  isString,
  like,
  listOf,
  oneOf,
  optional,
  orNull,
  recordOf,
} from '../shape.ts';

interface OwnInstitutions {
  /** Absent when there are none. */
  readonly 'x-own-institutions'?: readonly CatalogueInstitution[] | null;
}

/** See Changgu.ownInstitutions. */
export async function readOwnInstitutions(
  sender: Sender,
  options?: RequestOptions,
): Promise<readonly CatalogueInstitution[]> {
  const route = { method: 'GET', path: '/openapi.json', as: 'anonymous' } as const;
  const answer = await sender.sendTo(route, {}, options);
  const document = wireBodyOf<OwnInstitutions>(answer, {
    'x-own-institutions': optional(listOf(isInstitution)),
  });
  return document['x-own-institutions'] ?? [];
}

const isText = like({ ko: isString, en: isString });

const isSchema = like<Pick<JsonObjectSchema, 'type' | 'properties' | 'required'>>({
  type: oneOf('object'),
  properties: recordOf(isRecord),
  required: (names) => names === undefined || listOf(isString)(names),
});

/** The compiler keeps it complete. */
const isAction = like<CatalogueAction>({
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
  file: orNull(like({ format: oneOf('xlsx', 'pdf', 'any'), task: isString })),
  // Its paths belong to one of the built-in institutions.
  taxPortal: oneOf(null),
  ownerKind: oneOf('business', 'individual', null),
  params: isSchema,
  result: isSchema,
});

const isInstitution = like<CatalogueInstitution>({
  provider: isString,
  title: isText,
  kind: oneOf('bank', 'tax', 'employment', 'social_insurance', 'other'),
  linkTypes: listOf(oneOf('certificate', 'id_password', 'consent')),
  consentFeatures: listOf(isString),
  actions: listOf(isAction),
});
