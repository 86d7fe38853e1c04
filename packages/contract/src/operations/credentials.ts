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
    'Send exactly one set: cert_data, key_data and encrypted_pw; pkcs12_data and encrypted_pw; login_id and login_password; or authorization_code and state.',
  may: linker,
  environment: 'none',
  body: LinkRequest,
  responses: {
    201: { description: 'A new link', schema: LinkResponse },
    200: { description: 'The identity was already registered', schema: RelinkResponse },
  },
  errors: [
    'CREDENTIAL_INVALID',
    'CREDENTIAL_CONFIRM_REQUIRED',
    'CONSENT_STATE_INVALID',
    'ACCOUNT_LINK_NOT_FOUND',
    'PROVIDER_UPSTREAM_ERROR',
    'PROVIDER_NOT_CONFIGURED',
    'POLICY_TOOL_NOT_ALLOWED',
  ],
});

export const listAccountLinks = defineOperation({
  id: 'listAccountLinks',
  method: 'GET',
  path: '/v1/credentials',
  tag: 'credentials',
  summary: 'List the account links of the organization, newest first',
  may: reader,
  scope: 'links:read',
  environment: 'none',
  requestHeaders: { 'X-Organization-Id': 'Whose links; required of admin users' },
  query: Type.Object(
    { provider: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })) },
    { additionalProperties: false },
  ),
  responses: { 200: { description: 'The active links', schema: AccountLinkListResponse } },
  errors: ['RESOURCE_NOT_FOUND'],
  addition: true,
});

export const readAccountLink = defineOperation({
  id: 'readAccountLink',
  method: 'GET',
  path: '/v1/credentials/{account_link_id}',
  tag: 'credentials',
  summary: 'Get an account link, including an unlinked one',
  may: reader,
  scope: 'links:read',
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
    200: { description: 'The consent page, valid for ten minutes', schema: ConsentUrlResponse },
  },
  errors: ['ACCOUNT_LINK_NOT_FOUND', 'PROVIDER_NOT_CONFIGURED', 'POLICY_TOOL_NOT_ALLOWED'],
});

export const consentReturn = defineOperation({
  id: 'consentReturn',
  method: 'GET',
  path: '/v1/credentials/consent-return',
  tag: 'credentials',
  summary: 'Consent return page: shows the code and state to copy',
  may: 'anyone',
  environment: 'none',
  query: Type.Object({
    code: Type.Optional(Type.String({ maxLength: 2048 })),
    state: Type.Optional(Type.String({ maxLength: 256 })),
    error: Type.Optional(Type.String({ maxLength: 256 })),
  }),
  responses: { 200: { description: 'An HTML page', contentType: 'text/html' } },
  errors: [],
  addition: true,
});

export const selectAssets = defineOperation({
  id: 'selectAssets',
  method: 'PUT',
  path: '/v1/credentials/{account_link_id}/selected-assets',
  tag: 'credentials',
  summary: 'Replace the selected assets of a link; null clears them',
  may: linker,
  environment: 'none',
  params: LinkPath,
  body: SelectedAssetsRequest,
  responses: { 200: { description: 'The selection', schema: SelectedAssetsResponse } },
  errors: ['ACCOUNT_LINK_NOT_FOUND', 'POLICY_TOOL_NOT_ALLOWED'],
});

export const unlinkCredential = defineOperation({
  id: 'unlinkCredential',
  method: 'POST',
  path: '/v1/credentials/{account_link_id}/unlink',
  tag: 'credentials',
  summary: 'Unlink: erase the credential and cancel the jobs waiting for it',
  may: { ...linker, admin_user: true },
  environment: 'none',
  requestHeaders: { 'X-Organization-Id': 'Admin users: the link must be of this organization' },
  params: LinkPath,
  body: UnlinkRequest,
  bodyRequired: false,
  responses: { 200: { description: 'Unlinked', schema: UnlinkResponse } },
  errors: ['ACCOUNT_LINK_NOT_FOUND', 'POLICY_TOOL_NOT_ALLOWED'],
});
