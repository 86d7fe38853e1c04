import { Type } from 'typebox';
import { defineOperation } from '../define-operation.ts';
import { LIMITS } from '../limits.ts';
import {
  IdentityProviderListResponse,
  LogoutRequest,
  LogoutResponse,
  SessionEndResponse,
  SessionListResponse,
  SessionResponse,
} from '../schemas/session.ts';

const anyMember = { console_user: 'MEMBER' } as const;

export const readSession = defineOperation({
  id: 'readSession',
  method: 'GET',
  path: '/v1/auth/session',
  tag: 'account',
  summary: 'Get who is logged in',
  may: anyMember,
  environment: 'none',
  withoutFactor: true,
  orAnonymous: true,
  responses: {
    200: { description: 'The session', schema: SessionResponse },
    204: { description: 'The request has neither a session cookie nor other credentials' },
  },
  errors: [],
  addition: true,
});

export const listIdentityProviders = defineOperation({
  id: 'listIdentityProviders',
  method: 'GET',
  path: '/v1/auth/providers',
  tag: 'account',
  summary: 'List the identity providers that people can log in at, and tell who may register',
  description:
    'A browser begins a login at `/v1/auth/providers/{provider}/start`, and comes back with a session cookie.',
  may: 'anyone',
  environment: 'none',
  responses: { 200: { description: 'The providers', schema: IdentityProviderListResponse } },
  errors: [],
  addition: true,
});

export const logout = defineOperation({
  id: 'logout',
  method: 'POST',
  path: '/v1/auth/logout',
  tag: 'account',
  summary: 'Log out of the console',
  description: 'Ends this session, or every session of the user, at once on every process.',
  may: anyMember,
  environment: 'none',
  withoutFactor: true,
  body: LogoutRequest,
  bodyRequired: false,
  maxBodyBytes: LIMITS.smallBodyBytes,
  responses: { 200: { description: 'Logged out', schema: LogoutResponse } },
  errors: [],
  addition: true,
});

export const listSessions = defineOperation({
  id: 'listSessions',
  method: 'GET',
  path: '/v1/me/sessions',
  tag: 'account',
  summary: 'List the open sessions of the user, newest first',
  may: anyMember,
  environment: 'none',
  withoutFactor: true,
  responses: { 200: { description: 'The sessions', schema: SessionListResponse } },
  errors: [],
  addition: true,
});

export const endSession = defineOperation({
  id: 'endSession',
  method: 'DELETE',
  path: '/v1/me/sessions/{session_id}',
  tag: 'account',
  summary: 'End a session of the user',
  may: anyMember,
  environment: 'none',
  withoutFactor: true,
  params: Type.Object({ session_id: Type.String({ minLength: 1, maxLength: 64 }) }),
  responses: { 200: { description: 'The session has ended', schema: SessionEndResponse } },
  errors: ['RESOURCE_NOT_FOUND'],
  addition: true,
});
