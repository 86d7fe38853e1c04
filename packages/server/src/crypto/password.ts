import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import pLimit from 'p-limit';

/** OWASP's Argon2id setting: 19 MiB, two passes, one lane. */
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
const PREFIX = `$argon2id$v=19$m=${PARAMETERS.memory},t=${PARAMETERS.passes},p=${PARAMETERS.parallelism}$`;
const ENCODED =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22,86})\$([A-Za-z0-9+/]{43})$/;
const SALT_BYTES = 16;

/** Each run takes 19 MiB and a thread of the libuv pool, so at most four run at once. */
const limit = pLimit(4);

/** Compared for unknown users, so that they take as much time; no password matches it. */
const NOBODY = `${PREFIX}${base64(Buffer.alloc(SALT_BYTES))}$${base64(Buffer.alloc(PARAMETERS.tagLength))}`;

/** Hashes a password into the PHC string form. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return `${PREFIX}${base64(salt)}$${base64(await derive(password, salt, PARAMETERS))}`;
}

/**
 * Compares in constant time. Without a hash (null: no such user) it does the same work and returns
 * false, so that timing does not reveal who exists.
 */
export async function verifyPassword(password: string, encoded: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] =
    ENCODED.exec(encoded ?? NOBODY) ?? [];
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

interface Argon2Cost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly tagLength: number;
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
