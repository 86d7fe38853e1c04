import { hash, randomBytes } from 'node:crypto';

const PERIOD_SECONDS = 30;
/** Accepted steps to either side: clocks differ, and people type slowly. */
const WINDOW = 1;
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** 80 bits in base32. */
const RECOVERY_BYTES = 10;
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

export interface NewTotp {
  readonly bytes: Uint8Array;
  readonly secret: string;
  readonly url: string;
}

export async function newTotp(email: string): Promise<NewTotp> {
  const { Secret } = await import('otpauth');
  const bytes = randomBytes(SECRET_BYTES);
  const secret = new Secret({ buffer: toArrayBuffer(bytes) });
  return { bytes, secret: secret.base32, url: (await totpOf(bytes, email)).toString() };
}

/** The step that a code belongs to, or null when it matches none of the current ones. */
export async function stepOf(
  secret: Uint8Array,
  code: string,
  nowMs: number,
): Promise<number | null> {
  if (!/^\d{6}$/.test(code)) return null;
  const totp = await totpOf(secret, '');
  const delta = totp.validate({ token: code, timestamp: nowMs, window: WINDOW });
  return delta === null ? null : Math.floor(nowMs / 1_000 / PERIOD_SECONDS) + delta;
}

async function totpOf(secret: Uint8Array, label: string) {
  // For users who have a second factor.
  const { Secret, TOTP } = await import('otpauth');
  return new TOTP({
    issuer: 'Changgu',
    label,
    period: PERIOD_SECONDS,
    secret: new Secret({ buffer: toArrayBuffer(secret) }),
  });
}

function toArrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

export function newRecoveryCodes(): { readonly codes: string[]; readonly hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  return { codes, hashes: codes.map(hashRecoveryCode) };
}

function newRecoveryCode(): string {
  let bits = 0n;
  for (const byte of randomBytes(RECOVERY_BYTES)) bits = (bits << 8n) | BigInt(byte);
  const letters = Array.from({ length: 16 }, () => {
    const letter = BASE32[Number(bits & 31n)] ?? '';
    bits >>= 5n;
    return letter;
  }).join('');
  return letters.match(/.{4}/g)?.join('-') ?? letters;
}

/** Its 80 random bits need no slow hash. Case and separators do not matter. */
export function hashRecoveryCode(code: string): string {
  return hash('sha256', code.toLowerCase().replaceAll(/[\s-]/g, ''));
}
