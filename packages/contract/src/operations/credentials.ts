import { Type } from 'typebox';
import { defineOperation } from '../define-operation.ts';
import {
  AccountLinkListResponse,
  AccountLinkRecord,
  ConsentUrlRequest,
  ConsentUrlResponse,
  LinkRequest,
  LinkResponse,
  RelinkResponse,
  SelectedAssetsRequest,
  SelectedAssetsResponse,
  UnlinkRequest,
  UnlinkResponse,
} from '../schemas/credential.ts';

const linker = { console_user: 'ADMIN', client: 'desktop_agent' } as const;
const reader = { console_user: 'MEMBER', client: true, admin_user: true } as const;
const LinkPath = Type.Object({ account_link_id: Type.String({ minLength: 1, maxLength: 64 }) });

export const linkCredential = defineOperation({
  id: 'linkCredential',
  method: 'POST',
  path: '/v1/credentials/link',
  tag: 'credentials',
  summary: 'Register a certificate, a login or a consent for an institution',
  description:
    'Exactly one set is needed: cert_data, key_data and encrypted_pw; or login_id and login_password; or authorization_code and state (D99).',
  may: linker,
  environment: 'none',
  body: LinkRequest,
  responses: {
    201: { description: 'A new link', schema: LinkResponse },
    200: { description: 'The identity was registered before', schema: RelinkResponse },
  },
  errors: [
    'CREDENTIAL_INVALID',
    'CREDENTIAL_CONFIRM_REQUIRED',
    'CONSENT_STATE_INVALID',
    'PROVIDER_UPSTREAM_ERROR',
    'PROVIDER_NOT_CONFIGURED',
  ],
});

export const listAccountLinks = defineOperation({
  id: 'listAccountLinks',
  method: 'GET',
  path: '/v1/credentials',
  tag: 'credentials',
  summary: 'List the links of the organization, newest first',
  may: reader,
  environment: 'none',
  requestHeaders: { 'X-Organization-Id': 'Whose links; required of admin users' },
  query: Type.Object(
    { provider: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })) },
    { additionalProperties: false },
  ),
  responses: { 200: { description: 'The links in force', schema: AccountLinkListResponse } },
  errors: ['RESOURCE_NOT_FOUND'],
  addition: true,
});

export const readAccountLink = defineOperation({
  id: 'readAccountLink',
  method: 'GET',
  path: '/v1/credentials/{account_link_id}',
  tag: 'credentials',
  summary: 'Read one link, also one that was unlinked',
  may: reader,
  environment: 'none',
  params: LinkPath,
  responses: { 200: { description: 'The link', schema: AccountLinkRecord } },
  errors: ['ACCOUNT_LINK_NOT_FOUND'],
  addition: true,
});

export const createConsentUrl = defineOperation({
  id: 'createConsentUrl',
  method: 'POST',
  path: '/v1/credentials/consent-url',
  tag: 'credentials',
  summary: 'Start the consent flow of an institution',
  may: linker,
  environment: 'none',
  body: ConsentUrlRequest,
  responses: {
    200: { description: 'Where the person consents, for ten minutes', schema: ConsentUrlResponse },
  },
  errors: ['PROVIDER_NOT_CONFIGURED'],
});

export const consentReturn = defineOperation({
  id: 'consentReturn',
  method: 'GET',
  path: '/v1/credentials/consent-return',
  tag: 'credentials',
  summary: 'Where the browser comes back to: shows code and state to copy',
  may: 'anyone',
  environment: 'none',
  query: Type.Object({
    code: Type.Optional(Type.String({ maxLength: 2048 })),
    state: Type.Optional(Type.String({ maxLength: 256 })),
    error: Type.Optional(Type.String({ maxLength: 256 })),
  }),
  responses: { 200: { description: 'A page for people', contentType: 'text/html' } },
  errors: [],
  addition: true,
});

export const selectAssets = defineOperation({
  id: 'selectAssets',
  method: 'PUT',
  path: '/v1/credentials/{account_link_id}/selected-assets',
  tag: 'credentials',
  summary: 'Replace the selection of a link; null clears it',
  may: linker,
  environment: 'none',
  params: LinkPath,
  body: SelectedAssetsRequest,
  responses: { 200: { description: 'The selection', schema: SelectedAssetsResponse } },
  errors: ['ACCOUNT_LINK_NOT_FOUND'],
});

export const unlinkCredential = defineOperation({
  id: 'unlinkCredential',
  method: 'POST',
  path: '/v1/credentials/{account_link_id}/unlink',
  tag: 'credentials',
  summary: 'Unlink: wipe the credential and cancel the jobs that wait for it',
  may: { ...linker, admin_user: true },
  environment: 'none',
  requestHeaders: { 'X-Organization-Id': 'Admin users: the link must be of this organization' },
  params: LinkPath,
  body: UnlinkRequest,
  bodyRequired: false,
  responses: { 200: { description: 'Unlinked', schema: UnlinkResponse } },
  errors: ['ACCOUNT_LINK_NOT_FOUND'],
});
