import { Type } from 'typebox';
import { defineOperation } from '../define-operation.ts';
import {
  AppCredentialIssueRequest,
  AppCredentialIssueResponse,
  AppCredentialListResponse,
  AppCredentialRevokeRequest,
  AppCredentialRevokeResponse,
  AppCredentialRotateRequest,
  AppCredentialRotateResponse,
} from '../schemas/app-credential.ts';

const consoleOrAdmin = { console_user: 'ADMIN', admin_user: true } as const;
const requestHeaders = {
  'X-Organization-Id': 'Whose keys are meant; required of admin users, others use their own',
};

export const issueAppCredential = defineOperation({
  id: 'issueAppCredential',
  method: 'POST',
  path: '/v1/app-credentials',
  tag: 'app-credentials',
  summary: 'Issue a client id and secret',
  may: consoleOrAdmin,
  environment: 'none',
  requestHeaders,
  body: AppCredentialIssueRequest,
  responses: {
    201: { description: 'The key with its secret', schema: AppCredentialIssueResponse },
  },
  errors: [
    'POLICY_PAID_REQUIRED',
    'POLICY_ENV_NOT_APPROVED',
    'POLICY_LIMIT_REACHED',
    'RESOURCE_NOT_FOUND',
  ],
});

export const listAppCredentials = defineOperation({
  id: 'listAppCredentials',
  method: 'GET',
  path: '/v1/app-credentials',
  tag: 'app-credentials',
  summary: 'List the keys of the organization, newest first; secrets are never shown',
  may: consoleOrAdmin,
  environment: 'none',
  requestHeaders,
  responses: { 200: { description: 'The keys', schema: AppCredentialListResponse } },
  errors: ['RESOURCE_NOT_FOUND'],
  addition: true,
});

export const rotateAppCredential = defineOperation({
  id: 'rotateAppCredential',
  method: 'POST',
  path: '/v1/app-credentials/{client_id}/rotate',
  tag: 'app-credentials',
  summary: 'Replace the secret of a key; the old one still works for a while',
  description:
    'For `overlap_hours` both secrets work. Rotating again ends the older one of them at once.',
  may: consoleOrAdmin,
  environment: 'none',
  requestHeaders: {
    'X-Organization-Id': 'Admin users: the key must be of this organization',
  },
  params: Type.Object({ client_id: Type.String({ minLength: 1, maxLength: 64 }) }),
  body: AppCredentialRotateRequest,
  bodyRequired: false,
  responses: {
    200: { description: 'The key with its new secret', schema: AppCredentialRotateResponse },
  },
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT_STATE'],
  addition: true,
});

export const revokeAppCredential = defineOperation({
  id: 'revokeAppCredential',
  method: 'POST',
  path: '/v1/app-credentials/{client_id}/revoke',
  tag: 'app-credentials',
  summary: 'Revoke a key immediately and permanently',
  may: consoleOrAdmin,
  environment: 'none',
  requestHeaders: {
    'X-Organization-Id': 'Admin users: the key must be of this organization',
  },
  params: Type.Object({ client_id: Type.String({ minLength: 1, maxLength: 64 }) }),
  body: AppCredentialRevokeRequest,
  bodyRequired: false,
  responses: { 200: { description: 'The key is revoked', schema: AppCredentialRevokeResponse } },
  errors: ['REVOKED_REASON_MISSING', 'REVOKED_REASON_FORBIDDEN', 'RESOURCE_NOT_FOUND'],
});
