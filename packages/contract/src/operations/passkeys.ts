import { Type } from 'typebox';
import { defineOperation } from '../define-operation.ts';
import { LIMITS } from '../limits.ts';
import { LoginResponse } from '../schemas/account.ts';
import { PasskeyAddResponse, PasskeyBeginRequest } from '../schemas/factor.ts';
import { PasskeyAddRequest, PasskeyLoginRequest, PasskeyOptions } from '../schemas/passkey.ts';
import { SessionResponse } from '../schemas/session.ts';

const maxBodyBytes = LIMITS.smallBodyBytes;
const ownPasskeys = {
  may: { console_user: 'MEMBER' },
  environment: 'none',
  tag: 'account',
  withoutFactor: true,
  addition: true,
} as const;
const login = { may: 'anyone', environment: 'none', tag: 'account', addition: true } as const;

export const beginPasskey = defineOperation({
  ...ownPasskeys,
  id: 'beginPasskey',
  method: 'POST',
  path: '/v1/me/factors/passkeys/options',
  summary: 'Begin to add a passkey',
  description:
    'Answers the options for navigator.credentials.create, in the JSON form of WebAuthn. Only the session that began can add it.',
  body: PasskeyBeginRequest,
  maxBodyBytes,
  responses: { 200: { description: 'What the authenticator needs', schema: PasskeyOptions } },
  errors: [
    'PASSWORD_MISMATCH',
    'AUTH_LOGIN_TOO_OLD',
    'FACTOR_CODE_INVALID',
    'PASSKEY_INVALID',
    'PASSKEYS_UNAVAILABLE',
  ],
});

export const addPasskey = defineOperation({
  ...ownPasskeys,
  id: 'addPasskey',
  method: 'POST',
  path: '/v1/me/factors/passkeys',
  summary: 'Add a passkey',
  description: 'It signs in by itself, and counts as a second factor. Every other session ends.',
  body: PasskeyAddRequest,
  maxBodyBytes,
  responses: { 201: { description: 'The passkey', schema: PasskeyAddResponse } },
  errors: ['PASSKEY_INVALID', 'PASSKEYS_UNAVAILABLE', 'CONFLICT_DUPLICATE', 'POLICY_LIMIT_REACHED'],
});

export const beginPasskeyLogin = defineOperation({
  ...login,
  id: 'beginPasskeyLogin',
  method: 'POST',
  path: '/v1/auth/passkey/options',
  summary: 'Begin to prove a passkey',
  description:
    'Answers the options for navigator.credentials.get, in the JSON form of WebAuthn, the same for everyone: for a login, and wherever a second factor is proven.',
  responses: { 200: { description: 'What the authenticator needs', schema: PasskeyOptions } },
  errors: ['PASSKEYS_UNAVAILABLE'],
});

export const loginWithPasskey = defineOperation({
  ...login,
  id: 'loginWithPasskey',
  method: 'POST',
  path: '/v1/auth/passkey',
  summary: 'Log in with a passkey',
  description: 'It needs neither password nor code: the authenticator has verified its user.',
  body: PasskeyLoginRequest,
  maxBodyBytes,
  responses: {
    200: {
      description: 'A token, valid for eight hours; with `cookie`, a session cookie',
      schema: Type.Union([LoginResponse, SessionResponse]),
      headers: { 'Set-Cookie': 'The session; only with `cookie`' },
    },
  },
  errors: [
    'AUTH_INVALID_CREDENTIALS',
    'PASSKEYS_UNAVAILABLE',
    'AUTH_CSRF_REFUSED',
    'AUTH_PROVIDER_REQUIRED',
  ],
});
