import { Type } from 'typebox';
import { defineOperation } from '../define-operation.ts';
import { LIMITS } from '../limits.ts';
import {
  FactorAddRequest,
  FactorAddResponse,
  FactorConfirmRequest,
  FactorListResponse,
  FactorProofRequest,
  FactorRecord,
  FactorRemoveResponse,
  FactorRenameRequest,
  OrganizationSecurity,
  RecoveryCodesResponse,
} from '../schemas/factor.ts';

/** Open to users who have to enroll first. */
const ownFactors = {
  may: { console_user: 'MEMBER' },
  environment: 'none',
  tag: 'account',
  withoutFactor: true,
  addition: true,
} as const;
const maxBodyBytes = LIMITS.smallBodyBytes;
const FactorPath = Type.Object({ factor_id: Type.String({ minLength: 1, maxLength: 64 }) });

export const listFactors = defineOperation({
  ...ownFactors,
  id: 'listFactors',
  method: 'GET',
  path: '/v1/me/factors',
  summary: 'List the second factors of the user',
  responses: { 200: { description: 'The factors', schema: FactorListResponse } },
  errors: [],
});

export const addFactor = defineOperation({
  ...ownFactors,
  id: 'addFactor',
  method: 'POST',
  path: '/v1/me/factors',
  summary: 'Begin to add a second factor',
  description:
    'It counts once a code of it has been confirmed. A user who already has a factor must prove it too.',
  body: FactorAddRequest,
  maxBodyBytes,
  responses: { 201: { description: 'What the app needs', schema: FactorAddResponse } },
  errors: [
    'PASSWORD_MISMATCH',
    'AUTH_LOGIN_TOO_OLD',
    'FACTOR_CODE_INVALID',
    'PASSKEY_INVALID',
    'CONFLICT_DUPLICATE',
  ],
});

export const confirmFactor = defineOperation({
  ...ownFactors,
  id: 'confirmFactor',
  method: 'POST',
  path: '/v1/me/factors/{factor_id}/confirm',
  summary: 'Confirm a second factor with its first code',
  description: 'Every other session of the user ends.',
  params: FactorPath,
  body: FactorConfirmRequest,
  maxBodyBytes,
  responses: { 200: { description: 'Recovery codes', schema: RecoveryCodesResponse } },
  errors: ['RESOURCE_NOT_FOUND', 'FACTOR_CODE_INVALID'],
});

export const removeFactor = defineOperation({
  ...ownFactors,
  id: 'removeFactor',
  method: 'DELETE',
  path: '/v1/me/factors/{factor_id}',
  summary: 'Remove a second factor',
  description:
    'Ends every session of the user, this one included. Removing the last factor also removes the recovery codes.',
  params: FactorPath,
  body: FactorProofRequest,
  maxBodyBytes,
  responses: { 200: { description: 'Removed', schema: FactorRemoveResponse } },
  errors: [
    'PASSWORD_MISMATCH',
    'AUTH_LOGIN_TOO_OLD',
    'FACTOR_CODE_INVALID',
    'PASSKEY_INVALID',
    'RESOURCE_NOT_FOUND',
  ],
});

export const renameFactor = defineOperation({
  ...ownFactors,
  id: 'renameFactor',
  method: 'PATCH',
  path: '/v1/me/factors/{factor_id}',
  summary: 'Rename a second factor',
  params: FactorPath,
  body: FactorRenameRequest,
  maxBodyBytes,
  responses: { 200: { description: 'The factor', schema: FactorRecord } },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const renewRecoveryCodes = defineOperation({
  ...ownFactors,
  id: 'renewRecoveryCodes',
  method: 'POST',
  path: '/v1/me/factors/recovery-codes',
  summary: 'Replace the recovery codes',
  body: FactorProofRequest,
  maxBodyBytes,
  responses: { 200: { description: 'New recovery codes', schema: RecoveryCodesResponse } },
  errors: [
    'PASSWORD_MISMATCH',
    'AUTH_LOGIN_TOO_OLD',
    'FACTOR_CODE_INVALID',
    'PASSKEY_INVALID',
    'CONFLICT_STATE',
  ],
});

export const setOrganizationSecurity = defineOperation({
  id: 'setOrganizationSecurity',
  method: 'PATCH',
  path: '/v1/organization',
  tag: 'members',
  summary: 'Require a second factor of every member',
  description:
    'Takes effect at once, also in open sessions: until they add one, members without a second factor can do nothing else.',
  may: { console_user: 'OWNER' },
  environment: 'none',
  body: OrganizationSecurity,
  maxBodyBytes,
  responses: { 200: { description: 'What is demanded now', schema: OrganizationSecurity } },
  errors: [],
  addition: true,
});
