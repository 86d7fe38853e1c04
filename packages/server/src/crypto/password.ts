import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import pLimit from 'p-limit';

interface Argon2Cost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly tagLength: number;
}

/** OWASP's Argon2id setting: 19 MiB, two passes, one lane. */
export const PASSWORD_COST: Argon2Cost = {
  memory: 19_456,
  passes: 2,
  parallelism: 1,
  tagLength: 32,
};
const ENCODED =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22,86})\$([A-Za-z0-9+/]{43})$/;
const SALT_BYTES = 16;

/** Each run takes 19 MiB and a thread of the libuv pool, so at most four run at once. */
const limit = pLimit(4);

let currentCost = PASSWORD_COST;

/** For tests only: they hash thousands of passwords, and each takes 30 ms of a core. */
export function usePasswordCost(other: Pick<Argon2Cost, 'memory' | 'passes'>): void {
  currentCost = { ...PASSWORD_COST, ...other };
}

/** Hashes a password into the PHC string form. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return encode(salt, await derive(password, salt, currentCost));
}

/**
 * Compares in constant time. Without a hash (null: no such user) it does the same work and returns
 * false, so that timing does not reveal who exists.
 */
export async function verifyPassword(password: string, encoded: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] =
    ENCODED.exec(encoded ?? decoyHash()) ?? [];
  if (tag === '') throw new TypeError('not an Argon2id hash');
  const expected = Buffer.from(tag, 'base64');
  const actual = await derive(password, Buffer.from(salt, 'base64'), {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  });
  return timingSafeEqual(actual, expected) && encoded !== null;
}

/** Compared for unknown users, so that they take as much time; no password matches it. */
function decoyHash(): string {
  return encode(Buffer.alloc(SALT_BYTES), Buffer.alloc(currentCost.tagLength));
}

function encode(salt: Uint8Array, tag: Uint8Array): string {
  const { memory, passes, parallelism } = currentCost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
}

/** NFKC, because keyboards disagree on how Hangul is composed (NIST SP 800-63B). */
function derive(password: string, nonce: Uint8Array, cost: Argon2Cost): Promise<Buffer> {
  return limit(() =>
    promisify(argon2)('argon2id', { message: password.normalize('NFKC'), nonce, ...cost }),
  );
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '');
}
