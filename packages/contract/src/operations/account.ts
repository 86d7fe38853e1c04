import { Type } from 'typebox';
import { defineOperation } from '../define-operation.ts';
import { LIMITS } from '../limits.ts';
import {
  ConsentRecord,
  ConsentRequest,
  CookiePasswordChangeResponse,
  DeletionCancelRequest,
  DeletionCancelResponse,
  DeletionListResponse,
  DeletionRequest,
  DeletionResponse,
  EnvAccessListResponse,
  EnvAccessRecord,
  EnvAccessRequest,
  HandoffExchangeRequest,
  HandoffExchangeResponse,
  HandoffResponse,
  IntegratorApplicationListResponse,
  IntegratorApplicationRecord,
  IntegratorApplicationRequest,
  IntegratorReissueRequest,
  LoginRequest,
  LoginResponse,
  PasswordChangeRequest,
  PasswordChangeResponse,
  RegisterRequest,
  RegisterResponse,
} from '../schemas/account.ts';
import { SessionResponse } from '../schemas/session.ts';
import { addition } from '../schemas/vocabulary.ts';

const anyMember = { console_user: 'MEMBER' } as const;
const administrator = { console_user: 'ADMIN' } as const;
const ApplicationPath = Type.Object({
  application_id: Type.Integer({ minimum: 1, maximum: LIMITS.id }),
});

export const register = defineOperation({
  id: 'register',
  method: 'POST',
  path: '/v1/auth/register',
  tag: 'account',
  summary: 'Register a console account and its organization',
  may: 'anyone',
  environment: 'none',
  body: RegisterRequest,
  maxBodyBytes: LIMITS.smallBodyBytes,
  responses: { 201: { description: 'The account', schema: RegisterResponse } },
  errors: [
    'REGISTRATION_CLOSED',
    'CONSENT_REQUIRED',
    'EMAIL_ALREADY_REGISTERED',
    'PASSWORD_POLICY',
  ],
});

export const login = defineOperation({
  id: 'login',
  method: 'POST',
  path: '/v1/auth/login',
  tag: 'account',
  summary: 'Log in to the console',
  description: 'An unknown address and a wrong password get the same response in the same time.',
  may: 'anyone',
  environment: 'none',
  body: LoginRequest,
  maxBodyBytes: LIMITS.smallBodyBytes,
  responses: {
    200: {
      description: 'A token, valid for eight hours; with `cookie`, a session cookie',
      schema: Type.Union([LoginResponse, addition(SessionResponse)]),
      headers: { 'Set-Cookie': 'The session; only with `cookie`' },
    },
  },
  errors: [
    'AUTH_INVALID_CREDENTIALS',
    'AUTH_PROVIDER_REQUIRED',
    'AUTH_FACTOR_REQUIRED',
    'FACTOR_CODE_INVALID',
    'PASSKEY_INVALID',
    'AUTH_CSRF_REFUSED',
  ],
});

export const changePassword = defineOperation({
  id: 'changePassword',
  method: 'POST',
  path: '/v1/me/password',
  tag: 'account',
  summary: 'Change the password',
  description: 'Every session opened before ends, including the one used for this call.',
  may: anyMember,
  environment: 'none',
  withoutFactor: true,
  body: PasswordChangeRequest,
  maxBodyBytes: LIMITS.smallBodyBytes,
  responses: {
    200: {
      description: 'A new token; to a caller with a cookie, a new session cookie',
      schema: Type.Union([PasswordChangeResponse, addition(CookiePasswordChangeResponse)]),
      headers: { 'Set-Cookie': 'The new session; only to a caller with a cookie' },
    },
  },
  errors: ['PASSWORD_MISMATCH', 'PASSWORD_POLICY', 'AUTH_PROVIDER_REQUIRED'],
});

export const requestDeletion = defineOperation({
  id: 'requestDeletion',
  method: 'POST',
  path: '/v1/me/deletion-requests',
  tag: 'account',
  summary: 'Request deletion of the account, due in seven days',
  may: anyMember,
  environment: 'none',
  body: DeletionRequest,
  maxBodyBytes: LIMITS.deletionBodyBytes,
  responses: { 201: { description: 'The request', schema: DeletionResponse } },
  errors: ['PASSWORD_MISMATCH', 'AUTH_LOGIN_TOO_OLD', 'DELETION_REQUEST_EXISTS'],
});

export const listDeletions = defineOperation({
  id: 'listDeletions',
  method: 'GET',
  path: '/v1/me/deletion-requests',
  tag: 'account',
  summary: "List the user's own open deletion request, if there is one",
  may: anyMember,
  environment: 'none',
  responses: { 200: { description: 'The requests', schema: DeletionListResponse } },
  errors: [],
  addition: true,
});

export const cancelDeletion = defineOperation({
  id: 'cancelDeletion',
  method: 'DELETE',
  path: '/v1/me/deletion-requests/{request_uuid}',
  tag: 'account',
  summary: 'Withdraw a deletion request',
  may: anyMember,
  environment: 'none',
  params: Type.Object({ request_uuid: Type.String({ minLength: 1, maxLength: 64 }) }),
  body: DeletionCancelRequest,
  maxBodyBytes: LIMITS.deletionBodyBytes,
  responses: { 200: { description: 'Withdrawn', schema: DeletionCancelResponse } },
  errors: ['PASSWORD_MISMATCH', 'AUTH_LOGIN_TOO_OLD', 'RESOURCE_NOT_FOUND', 'CONFLICT_STATE'],
});

export const recordConsent = defineOperation({
  id: 'recordConsent',
  method: 'POST',
  path: '/v1/consents',
  tag: 'account',
  summary: 'Grant or revoke a consent',
  description:
    'Consent records are append-only. While any consent other than MARKETING is revoked, new jobs are refused.',
  may: administrator,
  environment: 'none',
  body: ConsentRequest,
  responses: { 201: { description: 'The record', schema: ConsentRecord } },
  errors: [],
});

export const requestEnvAccess = defineOperation({
  id: 'requestEnvAccess',
  method: 'POST',
  path: '/v1/me/env-access-requests',
  tag: 'account',
  summary: 'Request access to real_test',
  may: administrator,
  environment: 'none',
  body: EnvAccessRequest,
  responses: { 201: { description: 'The request', schema: EnvAccessRecord } },
  errors: ['CONFLICT_DUPLICATE'],
});

export const listEnvAccess = defineOperation({
  id: 'listEnvAccess',
  method: 'GET',
  path: '/v1/me/env-access-requests',
  tag: 'account',
  summary: 'List the environment-access requests of the organization, newest first',
  may: administrator,
  environment: 'none',
  responses: { 200: { description: 'The requests', schema: EnvAccessListResponse } },
  errors: [],
  addition: true,
});

export const applyAsIntegrator = defineOperation({
  id: 'applyAsIntegrator',
  method: 'POST',
  path: '/v1/me/integrator-applications',
  tag: 'account',
  summary: 'Apply for an integrator key',
  description: 'At most 50 applications of an organization wait for a decision at a time.',
  may: administrator,
  environment: 'none',
  body: IntegratorApplicationRequest,
  responses: { 201: { description: 'The application', schema: IntegratorApplicationRecord } },
  errors: ['POLICY_LIMIT_REACHED'],
});

export const reissueIntegrator = defineOperation({
  id: 'reissueIntegrator',
  method: 'POST',
  path: '/v1/me/integrator-applications/reissue',
  tag: 'account',
  summary: 'Replace an integrator key',
  description: 'The old key is revoked immediately. Approving this application issues the new one.',
  may: administrator,
  environment: 'none',
  body: IntegratorReissueRequest,
  responses: { 201: { description: 'The application', schema: IntegratorApplicationRecord } },
  errors: ['POLICY_LIMIT_REACHED', 'RESOURCE_NOT_FOUND'],
});

export const listIntegratorApplications = defineOperation({
  id: 'listIntegratorApplications',
  method: 'GET',
  path: '/v1/me/integrator-applications',
  tag: 'account',
  summary: 'List the integrator applications of the organization, newest first',
  may: administrator,
  environment: 'none',
  responses: {
    200: { description: 'The applications', schema: IntegratorApplicationListResponse },
  },
  errors: [],
  addition: true,
});

export const mintHandoff = defineOperation({
  id: 'mintHandoff',
  method: 'POST',
  path: '/v1/me/integrator-applications/{application_id}/handoff',
  tag: 'account',
  summary: 'Create the token that an installation exchanges for its key',
  description: 'Available once per approved application. The token is valid for ten minutes.',
  may: administrator,
  environment: 'none',
  params: ApplicationPath,
  responses: { 201: { description: 'The token, shown only once', schema: HandoffResponse } },
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT_STATE'],
  addition: true,
});

export const exchangeHandoff = defineOperation({
  id: 'exchangeHandoff',
  method: 'POST',
  path: '/v1/handoff/exchange',
  tag: 'account',
  summary: 'Exchange a handoff token for a client id and secret',
  may: 'anyone',
  environment: 'none',
  body: HandoffExchangeRequest,
  maxBodyBytes: LIMITS.smallBodyBytes,
  responses: {
    200: { description: 'The key, shown only once', schema: HandoffExchangeResponse },
  },
  errors: ['HANDOFF_TOKEN_INVALID', 'POLICY_LIMIT_REACHED'],
});
