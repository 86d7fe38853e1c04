import { createHmac, hash, type KeyObject, randomBytes } from 'node:crypto';
import { sameBytes } from '../crypto/same-secret.ts';

/** How long a person has to use the authenticator. */
export const ATTEMPT_MS = 300_000;

/** Keys for HMAC-SHA256, the current one first. */
export type AttemptSecrets = readonly [KeyObject, ...KeyObject[]];

/** The purpose of a signature: to prove who a person is, or to add a passkey to the user of one session. */
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
  /** What the authenticator signs. Only the holder of the attempt can use the signature. */
  readonly challenge: Buffer;
  /** The id under which its use is recorded. */
  readonly hash: string;
}

/** Nothing is stored until it is used, so strangers may begin as many as they like. */
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

/** Null when it is not ours or has expired. */
export function readAttempt(secrets: AttemptSecrets, attempt: string, now: number): Attempt | null {
  const [content = '', proof = ''] = attempt.split('.');
  const given = Buffer.from(proof, 'base64url');
  const isOurs = secrets.some((secret) => sameBytes(given, proofOf(content, secret)));
  if (!isOurs) return null;
  // Only this service could have written it.
  const { purpose, expiresAt } = JSON.parse(Buffer.from(content, 'base64url').toString()) as Pick<
    Attempt,
    'purpose' | 'expiresAt'
  >;
  if (expiresAt <= now) return null;
  // A digest of what was checked, ignoring anything appended.
  const canonical = `${content}.${given.toString('base64url')}`;
  const usedHash = hash('sha256', `used:${content}`);
  return { purpose, expiresAt, challenge: challengeOf(canonical), hash: usedHash };
}

function proofOf(content: string, secret: KeyObject): Buffer {
  return createHmac('sha256', secret).update(`passkey-attempt:${content}`).digest();
}

function challengeOf(attempt: string): Buffer {
  return hash('sha256', `challenge:${attempt}`, 'buffer');
}
