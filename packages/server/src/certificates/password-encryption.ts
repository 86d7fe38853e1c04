import { createDecipheriv, hash, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { type AsnType, Sequence } from 'asn1js';
import { KISA_SEED_CBC } from 'kisa-seed';
import pLimit from 'p-limit';
import { CertificateError, malformed, wrongPassword } from './certificate-error.ts';
import { elements, objectId, octets, smallInteger } from './der.ts';

const PBES2 = '1.2.840.113549.1.5.13';
const PBKDF2 = '1.2.840.113549.1.5.12';
/** Korean PBES1: SHA-1 and SEED-CBC (KCAC.TS.ENC). */
const SHA1_SEED_CBC = '1.2.410.200004.1.15';
/** SEED-CBC: a cipher of PBES2 and, on its own, the PBES1 of older certificates with one fixed IV. */
const SEED_CBC = '1.2.410.200004.1.4';
const OLD_VECTOR = Buffer.from('0123456789012345');

const BLOCK_BYTES = 16;
/** What one derivation may cost, at most 0.2 s. Keys in use have 2,048 iterations, cautious ones ten thousand. */
const MAX_PBKDF2_ITERATIONS = 200_000;
const MAX_PBKDF1_ITERATIONS = 10_000;

/** The upload decides how long its derivation takes, so half of the libuv pool stays free. */
const limit = pLimit(2);

/** Told the hashes of a derivation before they are made; throws where the file has no more left. */
type Charge = (hashes: number) => void;

interface SeedKey {
  readonly password: string;
  readonly charge: Charge;
  readonly vector: (derived: Uint8Array) => Uint8Array;
}

const DIGEST_BYTES = { sha1: 20, sha256: 32, sha384: 48, sha512: 64 } as const;
const DIGESTS: ReadonlyMap<string, keyof typeof DIGEST_BYTES> = new Map([
  ['1.2.840.113549.2.7', 'sha1'],
  ['1.2.840.113549.2.9', 'sha256'],
  ['1.2.840.113549.2.10', 'sha384'],
  ['1.2.840.113549.2.11', 'sha512'],
]);

interface Cipher {
  readonly keyBytes: number;
  readonly decrypt: (key: Uint8Array, iv: Uint8Array, ciphertext: Uint8Array) => Uint8Array;
}

const SEED: Cipher = { keyBytes: 16, decrypt: decryptSeed };
const CIPHERS: ReadonlyMap<string, Cipher> = new Map([
  ['2.16.840.1.101.3.4.1.2', aes(16)],
  ['2.16.840.1.101.3.4.1.22', aes(24)],
  ['2.16.840.1.101.3.4.1.42', aes(32)],
  [SEED_CBC, SEED],
]);

/**
 * Decrypts the content of a PKCS#8 EncryptedPrivateKeyInfo (RFC 5958): PBES2 with AES-CBC or
 * SEED-CBC, or one of the two Korean PBES1. Node's OpenSSL has no SEED, and none has those PBES1.
 *
 * @throws CertificateError MALFORMED or WRONG_PASSWORD. A wrong password can also yield bytes that
 * are not a key, so the caller has to check.
 */
export async function decryptPkcs8(
  algorithm: AsnType | undefined,
  ciphertext: Uint8Array,
  password: string,
  charge: Charge = () => {},
): Promise<Uint8Array> {
  if (ciphertext.length === 0 || ciphertext.length % BLOCK_BYTES !== 0) {
    throw malformed('the encrypted key');
  }
  const [id, parameters] = elements(algorithm);
  switch (objectId(id)) {
    case PBES2:
      return decryptPbes2(parameters, ciphertext, password, charge);
    case SHA1_SEED_CBC:
      return decryptSha1Seed(parameters, ciphertext, { password, charge, vector: vectorOf });
    case SEED_CBC:
      return decryptSha1Seed(parameters, ciphertext, {
        password,
        charge,
        vector: () => OLD_VECTOR,
      });
    default:
      throw new CertificateError('MALFORMED', 'the key is encrypted by an unknown scheme');
  }
}

async function decryptPbes2(
  parameters: AsnType | undefined,
  ciphertext: Uint8Array,
  password: string,
  charge: Charge,
): Promise<Uint8Array> {
  const [derivation, encryption] = elements(parameters);
  const [derivationId, derivationParameters] = elements(derivation);
  const [cipherId, cipherParameters] = elements(encryption);
  const cipher = CIPHERS.get(objectId(cipherId));
  const iv = octets(cipherParameters);
  if (objectId(derivationId) !== PBKDF2 || !cipher || iv.length !== BLOCK_BYTES) {
    throw new CertificateError('MALFORMED', 'the key is encrypted by an unknown scheme');
  }
  const key = await derivePbkdf2(derivationParameters, cipher.keyBytes, password, charge);
  return cipher.decrypt(key, iv, ciphertext);
}

/** PBKDF2-params: salt, iterations, key length (optional), PRF (optional, HMAC-SHA1 by default). */
async function derivePbkdf2(
  parameters: AsnType | undefined,
  keyBytes: number,
  password: string,
  charge: Charge,
): Promise<Uint8Array> {
  const [salt, count, ...optional] = elements(parameters);
  const prf = optional.find((node) => node instanceof Sequence);
  const digest = prf ? DIGESTS.get(objectId(elements(prf)[0])) : 'sha1';
  if (!digest) throw new CertificateError('MALFORMED', 'the key is derived by an unknown digest');
  const iterations = iterationCount(count, MAX_PBKDF2_ITERATIONS);
  const saltBytes = octets(salt);
  // Two hashes, of which OpenSSL makes four in the time of one made here.
  charge((iterations * Math.ceil(keyBytes / DIGEST_BYTES[digest])) / 2);
  return limit(() => promisify(pbkdf2)(password, saltBytes, iterations, keyBytes, digest));
}

function decryptSha1Seed(
  parameters: AsnType | undefined,
  ciphertext: Uint8Array,
  { password, charge, vector }: SeedKey,
): Uint8Array {
  const [salt, count] = elements(parameters);
  const iterations = iterationCount(count, MAX_PBKDF1_ITERATIONS);
  charge(iterations);
  const derived = pbkdf1(password, octets(salt), iterations);
  return SEED.decrypt(derived.subarray(0, BLOCK_BYTES), vector(derived), ciphertext);
}

/** The IV of KCAC.TS.ENC, taken from the four bytes after the key. */
function vectorOf(derived: Uint8Array): Uint8Array {
  return hash('sha1', derived.subarray(BLOCK_BYTES), 'buffer').subarray(0, BLOCK_BYTES);
}

/** PBKDF1 with SHA-1 (RFC 8018, 5.1): 20 bytes. */
function pbkdf1(password: string, salt: Uint8Array, iterations: number): Uint8Array {
  let derived = hash('sha1', Buffer.concat([Buffer.from(password), salt]), 'buffer');
  for (let round = 1; round < iterations; round += 1) derived = hash('sha1', derived, 'buffer');
  return derived;
}

function iterationCount(node: AsnType | undefined, most: number): number {
  const count = smallInteger(node);
  if (count < 1 || count > most) throw malformed('the iteration count');
  return count;
}

function aes(keyBytes: number): Cipher {
  return {
    keyBytes,
    decrypt(key, iv, ciphertext) {
      const decipher = createDecipheriv(`aes-${keyBytes * 8}-cbc`, key, iv);
      try {
        return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
      } catch {
        throw wrongPassword();
      }
    },
  };
}

function decryptSeed(key: Uint8Array, iv: Uint8Array, ciphertext: Uint8Array): Uint8Array {
  const plain = KISA_SEED_CBC.SEED_CBC_Decrypt(key, iv, ciphertext, 0, ciphertext.length);
  // The library returns no bytes for wrong padding; a key is never empty.
  if (plain.length === 0) throw wrongPassword();
  return plain;
}
