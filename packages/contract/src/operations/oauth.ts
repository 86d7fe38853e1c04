import { Type } from 'typebox';
import { defineOperation } from '../define-operation.ts';
import {
  OAuthApproveRequest,
  OAuthGrantListResponse,
  OAuthGrantRecord,
  OAuthInteractionResponse,
} from '../schemas/oauth.ts';

const consoleOrAdmin = { console_user: 'ADMIN', admin_user: true } as const;
const InteractionPath = Type.Object({ uid: Type.String({ minLength: 1, maxLength: 64 }) });
const ofTheBrowser = {
  Cookie: 'The interaction cookie of the browser in which the client began',
};
const redirected = {
  200: { description: 'Decided; the browser continues', schema: OAuthInteractionResponse },
};

export const approveOAuthInteraction = defineOperation({
  id: 'approveOAuthInteraction',
  method: 'POST',
  path: '/v1/oauth/interactions/{uid}/approve',
  tag: 'app-credentials',
  summary: 'Approve what an OAuth client asks for',
  description:
    'Gives the client a token for one organization, for the named scopes and environments. Only a person who may issue keys of that organization approves, and only in the browser in which the client began.',
  may: { console_user: 'ADMIN' },
  environment: 'none',
  requestHeaders: ofTheBrowser,
  params: InteractionPath,
  body: OAuthApproveRequest,
  responses: redirected,
  errors: [
    'RESOURCE_NOT_FOUND',
    'CONFLICT_STATE',
    'POLICY_PAID_REQUIRED',
    'POLICY_ENV_NOT_APPROVED',
    'POLICY_LIMIT_REACHED',
  ],
});

export const denyOAuthInteraction = defineOperation({
  id: 'denyOAuthInteraction',
  method: 'POST',
  path: '/v1/oauth/interactions/{uid}/deny',
  tag: 'app-credentials',
  summary: 'Deny what an OAuth client asks for',
  may: { console_user: 'MEMBER' },
  environment: 'none',
  requestHeaders: ofTheBrowser,
  params: InteractionPath,
  responses: redirected,
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT_STATE'],
});

export const listOAuthGrants = defineOperation({
  id: 'listOAuthGrants',
  method: 'GET',
  path: '/v1/oauth/grants',
  tag: 'app-credentials',
  summary: 'List what was approved for OAuth clients, newest first',
  may: consoleOrAdmin,
  environment: 'none',
  requestHeaders: {
    'X-Organization-Id': 'Whose grants are meant; required of admin users, others use their own',
  },
  responses: { 200: { description: 'The grants', schema: OAuthGrantListResponse } },
  errors: ['RESOURCE_NOT_FOUND'],
  addition: true,
});

export const revokeOAuthGrant = defineOperation({
  id: 'revokeOAuthGrant',
  method: 'POST',
  path: '/v1/oauth/grants/{grant_id}/revoke',
  tag: 'app-credentials',
  summary: 'Revoke all tokens of a grant immediately and permanently',
  may: consoleOrAdmin,
  environment: 'none',
  requestHeaders: { 'X-Organization-Id': 'Admin users: the grant must be of this organization' },
  params: Type.Object({ grant_id: Type.String({ minLength: 1, maxLength: 64 }) }),
  responses: { 200: { description: 'The grant is revoked', schema: OAuthGrantRecord } },
  errors: ['RESOURCE_NOT_FOUND'],
  addition: true,
});
