import { execFileSync, spawnSync } from 'node:child_process';
import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { NodeRSA } from 'node-rsa';
import { describe, expect, it } from 'vitest';
import { currentRsaKey, previousRsaKey } from '../../test/fixtures/rsa-oaep/rsa-keys.ts';
import { ServiceError } from '../rules/service-error.ts';
import {
  checkEncryptedValue,
  decryptFieldBytes,
  fieldText,
  RSA_BLOCK_BYTES,
  RSA_OAEP,
  RSA_PIECE_BYTES,
} from './rsa-oaep.ts';

const directory = fileURLToPath(new URL('../../test/fixtures/rsa-oaep/', import.meta.url));
const plain = readFileSync(`${directory}plain.txt`, 'utf8');
const current = currentRsaKey.toCryptoKey(RSA_OAEP, false, ['decrypt']);
const previous = previousRsaKey.toCryptoKey(RSA_OAEP, false, ['decrypt']);
const NONSENSE = Buffer.alloc(RSA_BLOCK_BYTES, 1).toString('base64');
const decryptFailed = { code: 'ENCRYPTED_FIELD_DECRYPT_FAILED', retryable: false };

function encrypt(text: string | Uint8Array, key = currentRsaKey, pieceBytes = RSA_PIECE_BYTES) {
  const bytes = Buffer.from(text);
  const blocks: Buffer[] = [];
  for (let start = 0; start === 0 || start < bytes.length; start += pieceBytes) {
    blocks.push(
      publicEncrypt(
        {
          key: createPublicKey(key),
          padding: constants.RSA_PKCS1_OAEP_PADDING,
          oaepHash: 'sha256',
        },
        bytes.subarray(start, start + pieceBytes),
      ),
    );
  }
  return Buffer.concat(blocks).toString('base64');
}

async function decrypt(value: string, keys = [current, previous]) {
  return fieldText(await decryptFieldBytes(value, keys));
}

function join(...values: string[]) {
  return Buffer.concat(values.map((value) => Buffer.from(value, 'base64'))).toString('base64');
}

const OPENSSL =
  'pkeyutl -encrypt -inkey current.pem -in plain.txt' +
  ' -pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha256 -pkeyopt rsa_mgf1_md:';
const ENCODERS = {
  openssl: () =>
    ['sha256', 'sha1'].map((mgf1) =>
      run('openssl', ...`${OPENSSL}${mgf1}`.split(' ')).toString('base64'),
    ),
  java: () =>
    run('java', 'OaepEncrypt.java', 'current.pub.der', 'plain.txt').toString().trim().split('\n'),
};
type Encoder = keyof typeof ENCODERS;

function run(command: string, ...parameters: string[]) {
  return execFileSync(command, parameters, { cwd: directory });
}

function committedValues(encoder: Encoder) {
  return readFileSync(`${directory}${encoder}.txt`, 'utf8').trim().split('\n');
}

/** plain.txt by the encoder itself, or its committed values where it is not installed. */
function valuesOf(encoder: Encoder) {
  const installed = spawnSync(encoder, ['-version']).error === undefined;
  return installed ? ENCODERS[encoder]() : committedValues(encoder);
}

/** Each decrypted, or the code of its failure. */
function outcomes(values: readonly string[]) {
  const codeOf = (error: unknown) => (error instanceof ServiceError ? error.code : error);
  return Promise.all(values.map((value) => decrypt(value).catch(codeOf)));
}
const onlyMgf1Sha256 = [plain, decryptFailed.code];

describe('446-byte pieces (R53)', () => {
  it.each([
    { bytes: 0, blocks: 1, characters: 684 },
    { bytes: 446, blocks: 1, characters: 684 },
    { bytes: 447, blocks: 2, characters: 1_368 },
    { bytes: 2_000, blocks: 5, characters: 3_416 },
  ])('$bytes bytes make $blocks blocks', async ({ bytes, blocks, characters }) => {
    const text = 'k'.repeat(bytes);
    const value = encrypt(text);
    expect(Buffer.from(value, 'base64')).toHaveLength(blocks * RSA_BLOCK_BYTES);
    expect(value).toHaveLength(characters);
    expect(await decrypt(value)).toBe(text);
  });

  it('pieces of any length are joined', async () => {
    expect(await decrypt(encrypt('shorter pieces than usual', currentRsaKey, 7))).toBe(
      'shorter pieces than usual',
    );
  });
});

describe('text (R54)', () => {
  it('a Korean character across byte 446 stays whole', async () => {
    const text = `${'a'.repeat(445)}한글`;
    expect(await decrypt(encrypt(text))).toBe(text);
  });

  it('a byte order mark is kept', async () => {
    expect(await decrypt(encrypt('\uFEFFa'))).toBe('\uFEFFa');
  });

  it('bytes that are not UTF-8 fail as text and can be read as bytes', async () => {
    const bytes = Uint8Array.of(0x30, 0x82, 0xff, 0xfe);
    const value = encrypt(bytes);
    await expect(decrypt(value)).rejects.toMatchObject(decryptFailed);
    expect(new Uint8Array(await decryptFieldBytes(value, [current]))).toEqual(bytes);
  });
});

describe('independent encoders (R55)', () => {
  it.each(['openssl', 'java'] as const)(
    '%s with MGF1-SHA256 decrypts, with MGF1-SHA1 it fails',
    async (encoder) => {
      expect(await outcomes(valuesOf(encoder))).toEqual(onlyMgf1Sha256);
    },
    30_000,
  );

  it.each(['openssl', 'java'] as const)(
    'the committed values of %s do the same',
    async (encoder) => {
      expect(await outcomes(committedValues(encoder))).toEqual(onlyMgf1Sha256);
    },
  );

  it('node-rsa decrypts', async () => {
    const key = new NodeRSA();
    key.importKey(
      createPublicKey(currentRsaKey).export({ format: 'pem', type: 'spki' }).toString(),
    );
    key.setOptions({ encryptionScheme: { scheme: 'pkcs1_oaep', hash: 'sha256' } });
    expect(key.getKeySize()).toBe(4_096);
    expect(await decrypt(key.encrypt(plain, 'base64'))).toBe(plain);
  });
});

describe('what submission checks (R56, D60)', () => {
  it.each([
    ['abc!defghijklmnop', 'alphabet'],
    ['abc!', 'alphabet'],
    ['abcd efgh ijkl mnop', 'alphabet'],
    ['abcdefghijklmnop\n', 'alphabet'],
    ['abcdefgh-_klmnop', 'alphabet'],
    ['abcdefgh=ijklmnop', 'alphabet'],
    ['abcdefghijklm===', 'alphabet'],
    ['', 'too_short'],
    ['abcdefghijklmno', 'too_short'],
    ['abcdefghijklmnop', undefined],
    ['abcdefghijklmn==', undefined],
    ['abcdefghij+/ABC019', undefined],
  ])('%j is %s', (value, problem) => {
    expect(checkEncryptedValue(value)).toBe(problem);
  });
});

describe('keys and failures (D58, D59)', () => {
  it('a value for the previous key decrypts after the current one was tried', async () => {
    const text = 'x'.repeat(900);
    expect(await decrypt(encrypt(text, previousRsaKey))).toBe(text);
  });

  it.each([
    ['a length that is not a multiple of 512 bytes', encrypt('x').slice(4)],
    ['no block at all', ''],
    ['characters outside the alphabet', `${encrypt('x').slice(0, -4)}!!!!`],
    ['an unknown key', NONSENSE],
    ['a broken second block', join(encrypt('x'), NONSENSE)],
  ])('%s fails', async (_, value) => {
    await expect(decrypt(value)).rejects.toMatchObject(decryptFailed);
  });

  it('blocks for two different keys fail', async () => {
    const mixed = join(encrypt('x'), encrypt('y', previousRsaKey));
    await expect(decrypt(mixed)).rejects.toMatchObject(decryptFailed);
  });

  it('a failure carries neither cause nor value', async () => {
    const failure = await decrypt(NONSENSE).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toHaveProperty('cause', expect.anything());
    expect(String(failure)).not.toContain(NONSENSE.slice(0, 16));
  });
});
