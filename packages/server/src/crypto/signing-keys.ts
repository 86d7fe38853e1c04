import { generateKeyPair, type KeyObject, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { DAY_MS } from '../rules/durations.ts';
import type { KeyRing, RotationPolicy } from './key-ring.ts';

const ALGORITHM = 'EdDSA';

/** No token lives longer, so a retired key outlives every token that it signed. */
export const MAX_TOKEN_SECONDS = 31 * 86_400;

export const SIGNING_KEY_POLICY: RotationPolicy = {
  currentMs: 90 * DAY_MS,
  previousMs: MAX_TOKEN_SECONDS * 1_000,
};

/** The user of a console or admin token. */
export interface TokenSubject {
  /** `sub`: the user's id. */
  readonly userId: string;
  /** `pk`: the principal kind. */
  readonly kind: 'console_user' | 'admin_user';
  /** `ver`: the user's password epoch; tokens of earlier ones are invalid. */
  readonly passwordEpoch: number;
  /** `sid`: the console session; absent in admin tokens and in tokens from before sessions. */
  readonly sessionId?: string;
}

/** The longest time that a key revoked by another process is still accepted. */
const REVOKED_WITHIN_MS = 5_000;
/** The longest time until a key that another process has created is known. */
const NEW_KEY_WITHIN_MS = 500;

export interface IssuedToken {
  readonly token: string;
  readonly jti: string;
  /** Unix seconds, real time. */
  readonly expiresAt: number;
}

export type TokenVerification =
  | { readonly ok: true; readonly subject: TokenSubject; readonly jti: string }
  | { readonly ok: false; readonly reason: 'invalid' | 'expired' };

export interface Tokens {
  /** @throws RangeError for a lifetime beyond MAX_TOKEN_SECONDS */
  issue(subject: TokenSubject, ttlSeconds: number): Promise<IssuedToken>;
  verify(token: string): Promise<TokenVerification>;
}

export interface TokensOptions {
  readonly ring: KeyRing;
  readonly issuer: string;
  readonly audience: string;
  /** Real time in milliseconds: token times are never shifted by the test clock. */
  readonly now: () => number;
  /** Milliseconds since an arbitrary moment: a clock that is set back must not put off reading the keys. */
  readonly monotonic?: () => number;
}

export async function generateSigningKey(): Promise<KeyObject> {
  return (await promisify(generateKeyPair)('ed25519')).privateKey;
}

/** Console and admin tokens: JWTs signed with Ed25519. */
export function createTokens(options: TokensOptions): Tokens {
  const { ring, issuer, audience, now, monotonic = () => performance.now() } = options;
  const publicKeyOf = createPublicKeys(ring, monotonic);

  return {
    async issue(subject, ttlSeconds) {
      if (!(ttlSeconds > 0 && ttlSeconds <= MAX_TOKEN_SECONDS)) {
        throw new RangeError(`a token lives 1 to ${MAX_TOKEN_SECONDS} seconds`);
      }
      const [key] = await ring.keys();
      if (!key) throw new Error('the signing key ring is empty');
      const issuedAt = Math.floor(now() / 1_000);
      const expiresAt = issuedAt + ttlSeconds;
      const jti = randomUUID();
      const token = await new SignJWT(claimsOf(subject))
        .setProtectedHeader({ alg: ALGORITHM, kid: key.kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(subject.userId)
        .setJti(jti)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(key.privateKey);
      return { token, jti, expiresAt };
    },

    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, ({ kid }) => publicKeyOf(kid), {
          algorithms: [ALGORITHM],
          issuer,
          audience,
          requiredClaims: ['iat', 'exp'],
          currentDate: new Date(now()),
        });
        return readClaims(payload);
      } catch (failure) {
        if (failure instanceof errors.JWTExpired) return { ok: false, reason: 'expired' };
        if (failure instanceof errors.JOSEError) return { ok: false, reason: 'invalid' };
        throw failure;
      }
    },
  };
}

/** Finds the key that verifies a token by its id, and rereads the ring when its keys may have changed. */
function createPublicKeys(ring: KeyRing, monotonic: () => number) {
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<unknown> | undefined;

  /** Concurrent callers share one read. */
  async function readKeys(): Promise<void> {
    reading ??= ring.keys().finally(() => {
      reading = undefined;
    });
    await reading;
    readAt = monotonic();
  }

  return async (kid: string | undefined): Promise<KeyObject> => {
    const known = () => ring.known().find((key) => key.kid === kid);
    if (monotonic() - readAt >= REVOKED_WITHIN_MS) await readKeys();
    // Tokens with a made-up key must not cost a query each.
    else if (!known() && monotonic() - readAt >= NEW_KEY_WITHIN_MS) await readKeys();
    const key = known();
    if (!key) throw new errors.JWSSignatureVerificationFailed('unknown key');
    return key.publicKey;
  };
}

function claimsOf({ kind, passwordEpoch, sessionId }: TokenSubject): JWTPayload {
  return { pk: kind, ver: passwordEpoch, ...(sessionId === undefined ? {} : { sid: sessionId }) };
}

function readClaims({ sub, pk, ver, sid, jti }: JWTPayload): TokenVerification {
  const known = pk === 'console_user' || pk === 'admin_user';
  if (!known || sub === undefined || jti === undefined || typeof ver !== 'number') {
    return { ok: false, reason: 'invalid' };
  }
  const session = typeof sid === 'string' ? { sessionId: sid } : {};
  return { ok: true, subject: { userId: sub, kind: pk, passwordEpoch: ver, ...session }, jti };
}
