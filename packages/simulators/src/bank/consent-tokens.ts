import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export const CONSENT_SCOPES = ['accounts', 'transactions'] as const;
export type ConsentScope = (typeof CONSENT_SCOPES)[number];

const CODE_LIFE_MS = 10 * 60_000;
export const ACCESS_LIFE_SECONDS = 3600;
const REFRESH_LIFE_MS = 90 * 86_400_000;
// Tokens must outlive a restart of the simulators; the key guards nothing real.
const KEY = 'changgu-simulators-consent';

export interface Grant {
  loginId: string;
  scopes: readonly ConsentScope[];
}

interface Code extends Grant {
  redirectUri: string;
  expiresAt: number;
}

export interface TokenPair {
  accessToken: string;
  refreshToken: string;
}

type TokenUse = 'access' | 'refresh';

function sign(payload: string): string {
  return createHmac('sha256', KEY).update(payload).digest('base64url');
}

function mint(use: TokenUse, grant: Grant, expiresAt: number): string {
  const fields = [use, grant.loginId, grant.scopes.join(' '), String(expiresAt)];
  const payload = Buffer.from(fields.join('|')).toString('base64url');
  return `${payload}.${sign(payload)}`;
}

/** The grant inside a token that is genuine, of this use and not over; else null. */
export function readToken(token: string, use: TokenUse, now: number): Grant | null {
  const [payload = '', signature = ''] = token.split('.');
  const expected = Buffer.from(sign(payload));
  const given = Buffer.from(signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return null;
  const text = Buffer.from(payload, 'base64url').toString();
  const [kind, loginId = '', scopes = '', expiresAt = '0'] = text.split('|');
  if (kind !== use || now >= Number(expiresAt)) return null;
  return { loginId, scopes: readScopes(scopes) };
}

/** The known scopes of a space-separated list. */
export function readScopes(text: string): ConsentScope[] {
  const words = text.split(' ');
  return CONSENT_SCOPES.filter((scope) => words.includes(scope));
}

export function issueTokens(grant: Grant, now: number): TokenPair {
  return {
    accessToken: mint('access', grant, now + ACCESS_LIFE_SECONDS * 1000),
    refreshToken: mint('refresh', grant, now + REFRESH_LIFE_MS),
  };
}

/** Authorization codes: single use, ten minutes, bound to their return address. */
export class ConsentCodes {
  readonly #codes = new Map<string, Code>();

  issue(grant: Grant, redirectUri: string, now: number): string {
    const code = randomBytes(24).toString('base64url');
    this.#codes.set(code, { ...grant, redirectUri, expiresAt: now + CODE_LIFE_MS });
    return code;
  }

  redeem(code: string, redirectUri: string, now: number): Grant | null {
    const known = this.#codes.get(code);
    this.#codes.delete(code);
    return known && known.redirectUri === redirectUri && now < known.expiresAt ? known : null;
  }
}
