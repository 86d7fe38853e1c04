import { createHash, createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a person may take at the authenticator. */
export const ATTEMPT_MS = 300_000;

/** For HMAC-SHA256; the one in use first. */
export type AttemptSecrets = readonly [KeyObject, ...KeyObject[]];

/** What a signature is asked for: to prove who a person is, or to add a passkey to one session's user. */
export type AttemptPurpose =
  | { readonly kind: 'prove' }
  | {
      readonly kind: 'add';
      readonly userId: number;
      readonly sessionId: string | null;
      readonly userHandle: string;
    };

export interface Attempt {
  readonly purpose: AttemptPurpose;
  readonly expiresAt: number;
  /** What the authenticator signs. Only who holds the attempt can use the signature. */
  readonly challenge: Buffer;
  /** Under which its use is noted. */
  readonly hash: string;
}

/** Nothing is stored until it is used: strangers may begin as many as they like. */
export function newAttempt(
  [secret]: AttemptSecrets,
  purpose: AttemptPurpose,
  now: number,
): { readonly attempt: string; readonly expiresAt: number; readonly challenge: Buffer } {
  const expiresAt = now + ATTEMPT_MS;
  const nonce = randomBytes(32).toString('base64url');
  const content = Buffer.from(JSON.stringify({ purpose, expiresAt, nonce })).toString('base64url');
  const attempt = `${content}.${proofOf(content, secret).toString('base64url')}`;
  return { attempt, expiresAt, challenge: challengeOf(attempt) };
}

/** Null when it is not ours or is over. */
export function readAttempt(secrets: AttemptSecrets, attempt: string, now: number): Attempt | null {
  const [content = '', proof = ''] = attempt.split('.');
  const given = Buffer.from(proof, 'base64url');
  const isOurs = secrets.some((secret) => {
    const expected = proofOf(content, secret);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isOurs) return null;
  // No one else could have written it.
  const { purpose, expiresAt } = JSON.parse(Buffer.from(content, 'base64url').toString()) as Pick<
    Attempt,
    'purpose' | 'expiresAt'
  >;
  if (expiresAt <= now) return null;
  // Of what was checked, whatever else was appended.
  const canonical = `${content}.${given.toString('base64url')}`;
  const hash = createHash('sha256').update(`used:${content}`).digest('hex');
  return { purpose, expiresAt, challenge: challengeOf(canonical), hash };
}

function proofOf(content: string, secret: KeyObject): Buffer {
  return createHmac('sha256', secret).update(`passkey-attempt:${content}`).digest();
}

function challengeOf(attempt: string): Buffer {
  return createHash('sha256').update(`challenge:${attempt}`).digest();
}
