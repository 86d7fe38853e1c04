import { createCipheriv, createPrivateKey, pbkdf2Sync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  certificateFile,
  certificatePassword,
} from '../../../test/fixtures/certificates/certificate-files.ts';
import { CertificateError } from '../certificate-error.ts';
import { openCertificate } from '../open-certificate.ts';
import { openPkcs12 } from './open-pkcs12.ts';

const personKey = createPrivateKey({
  key: certificateFile('person.pkcs8.der'),
  format: 'der',
  type: 'pkcs8',
});
/** Made by OpenSSL: as it does today, as it and Windows did before, and by Korean exporters. */
const FILES = ['aes-256.p12', '3des.p12', 'rc2-40.p12', 'seed.p12', 'no-mac.p12'];

async function failureOf(file: Uint8Array, password = certificatePassword) {
  const error = await openPkcs12(file, password).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof CertificateError) return error;
  throw new Error('expected a CertificateError', { cause: error });
}

/** One element: tag, length of two bytes, content. */
function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat(content);
  return Buffer.concat([Buffer.of(tag, 0x82, bytes.length >> 8, bytes.length & 0xff), bytes]);
}
const [INTEGER, OCTETS, OID, SEQUENCE, TAG_0] = [0x02, 0x04, 0x06, 0x30, 0xa0] as const;
const id = (hex: string) => der(OID, Buffer.from(hex, 'hex'));
const DATA = '2a864886f70d010701';
const SHROUDED_KEY_BAG = '2a864886f70d010c0a0102';
const CERTIFICATE_BAG = '2a864886f70d010c0a0103';
const X509 = '2a864886f70d01091601';

function data(content: Uint8Array): Buffer {
  return der(SEQUENCE, id(DATA), der(TAG_0, der(OCTETS, content)));
}

type Pair = readonly [certificate: string, key: string];

/** A file as Korean programs write it: the keys are sealed as they are in files of their own. */
function fileOf(...pairs: readonly Pair[]): Buffer {
  return fileWith(pairs, []);
}

function fileWith(pairs: readonly Pair[], otherParts: readonly Buffer[]): Buffer {
  const bags = pairs.flatMap(([certificate, key]) => [
    der(SEQUENCE, id(SHROUDED_KEY_BAG), der(TAG_0, certificateFile(key))),
    der(
      SEQUENCE,
      id(CERTIFICATE_BAG),
      der(TAG_0, der(SEQUENCE, id(X509), der(TAG_0, der(OCTETS, certificateFile(certificate))))),
    ),
  ]);
  return der(
    SEQUENCE,
    der(INTEGER, Buffer.of(3)),
    data(der(SEQUENCE, data(der(SEQUENCE, ...bags)), ...otherParts)),
  );
}

/** Any pair that opens. */
const PAIR = ['person.der', 'pbes1-seed.key'] as const;

/** A part as OpenSSL writes it: PBES2 with PBKDF2 of HMAC-SHA-1 and AES-256. */
function encryptedPart(content: Buffer, iterations: number): Buffer {
  const [salt, iv] = [Buffer.alloc(8, 1), Buffer.alloc(16, 2)];
  const cipher = createCipheriv(
    'aes-256-cbc',
    pbkdf2Sync(certificatePassword, salt, iterations, 32, 'sha1'),
    iv,
  );
  const count = Buffer.alloc(3);
  count.writeUIntBE(iterations, 0, 3);
  const derivation = der(SEQUENCE, der(OCTETS, salt), der(INTEGER, count));
  const scheme = der(
    SEQUENCE,
    der(SEQUENCE, id('2a864886f70d01050c'), derivation),
    der(SEQUENCE, id('60864801650304012a'), der(OCTETS, iv)),
  );
  const algorithm = der(SEQUENCE, id('2a864886f70d01050d'), scheme);
  const ciphertext = der(0x80, Buffer.concat([cipher.update(content), cipher.final()]));
  const encrypted = der(SEQUENCE, id(DATA), algorithm, ciphertext);
  const version = der(INTEGER, Buffer.of(0));
  return der(SEQUENCE, id('2a864886f70d010706'), der(TAG_0, der(SEQUENCE, version, encrypted)));
}

describe('certificates in one file with their key (PKCS#12)', () => {
  it.each(FILES)('%s opens to the certificate and key that OpenSSL put in', async (file) => {
    const opened = await openPkcs12(certificateFile(file), certificatePassword);
    expect(opened.privateKey.equals(personKey)).toBe(true);
    expect(Buffer.from(opened.certificateDer)).toEqual(certificateFile('person.der'));
  });

  it.each(FILES)('%s answers wrong passwords with WRONG_PASSWORD', async (file) => {
    for (const password of ['', 'wrong', `${certificatePassword} `, '비밀번호']) {
      const failure = await failureOf(certificateFile(file), password);
      expect(failure.failure).toBe('WRONG_PASSWORD');
      expect(failure.message).not.toContain(password || certificatePassword);
    }
  });

  it('opens keys of both Korean schemes, with the random of the virtual id', async () => {
    const opened = await openPkcs12(fileOf(['person.der', 'pbes1-seed.key']), certificatePassword);
    expect(opened.privateKey.equals(personKey)).toBe(true);
    expect(Buffer.from(opened.randomVid ?? []).toString('hex')).toBe(
      '00112233445566778899aabbccddeeff01234567',
    );
  });

  it('takes the pair for signatures, wherever the one for encryption lies', async () => {
    const pairs = [
      ['key-management.der', 'key-management.key'],
      ['person.der', 'seed-sha256.key'],
    ] as const;
    for (const order of [pairs, pairs.toReversed()]) {
      const opened = await openPkcs12(fileOf(...order), certificatePassword);
      expect(opened.privateKey.equals(personKey)).toBe(true);
    }
  });

  it('is a certificate like any other once it is open', async () => {
    const password = certificatePassword;
    const now = Date.UTC(2027, 0, 1);
    const certificate = certificateFile('person.der');
    const encryptedKey = certificateFile('seed-sha1.key');
    const apart = await openCertificate({ certificate, encryptedKey, password }, now);
    const der = certificateFile('aes-256.p12');
    const expected = { ...apart, certificateDer: new Uint8Array(apart.certificateDer) };
    expect(await openCertificate({ pkcs12: der, password }, now)).toEqual(expected);
    const pem = `-----BEGIN PKCS12-----\n${certificateFile('3des.p12').toString('base64')}\n-----END PKCS12-----`;
    expect(await openCertificate({ pkcs12: Buffer.from(pem), password }, now)).toEqual(expected);
  });

  it.each([
    ['a certificate and the key of another', fileOf(['corporation.der', 'seed-sha1.key'])],
    [
      'two certificates and one key of neither',
      fileOf(['corporation.der', 'seed-sha1.key'], ['corporation.der', 'seed-sha1.key']),
    ],
  ])('%s is KEY_MISMATCH', async (_, file) => {
    expect((await failureOf(file)).failure).toBe('KEY_MISMATCH');
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['a certificate', certificateFile('person.der')],
    ['a key', certificateFile('seed-sha1.key')],
    ['a file without a key', fileOf()],
    ['a file cut short', certificateFile('3des.p12').subarray(0, -1)],
    ['more than any file', Buffer.alloc(40_000, 0x30)],
    ['text', Buffer.from('not a file')],
  ])('%s is MALFORMED', async (_, file) => {
    expect((await failureOf(file)).failure).toBe('MALFORMED');
  });

  it('an iteration count meant to exhaust us is MALFORMED, at once', async () => {
    const sha1 = der(SEQUENCE, id('2b0e03021a'));
    const digest = der(SEQUENCE, sha1, der(OCTETS, Buffer.alloc(20)));
    const count = der(INTEGER, Buffer.from('7fffffff', 'hex'));
    const mac = der(SEQUENCE, digest, der(OCTETS, Buffer.alloc(8)), count);
    const file = der(SEQUENCE, der(INTEGER, Buffer.of(3)), data(der(SEQUENCE)), mac);
    expect((await failureOf(file)).failure).toBe('MALFORMED');
  });

  it('a file has few parts, and they share what a derivation may cost', async () => {
    const opens = (...parts: Buffer[]) => openPkcs12(fileWith([PAIR], parts), certificatePassword);
    const empty = data(der(SEQUENCE));
    expect(await opens(...Array(7).fill(empty))).toBeDefined();
    await expect(opens(...Array(8).fill(empty))).rejects.toMatchObject({ failure: 'MALFORMED' });

    const costly = encryptedPart(der(SEQUENCE), 200_000);
    expect(await opens(costly, costly)).toBeDefined();
    await expect(opens(costly, costly, costly)).rejects.toMatchObject({ failure: 'MALFORMED' });
  });

  it.each(['3des.p12', 'seed.p12'])(
    '%s with any byte changed opens or fails as a certificate error, never otherwise',
    async (name) => {
      const file = certificateFile(name);
      await fc.assert(
        fc.asyncProperty(
          fc.nat(file.length - 1),
          fc.integer({ min: 1, max: 255 }),
          async (at, by) => {
            const changed = Buffer.from(file);
            changed.writeUInt8(changed.readUInt8(at) ^ by, at);
            const error = await openPkcs12(changed, certificatePassword).catch((thrown) => thrown);
            expect('privateKey' in error || error instanceof CertificateError).toBe(true);
          },
        ),
        { numRuns: 100 },
      );
    },
    30_000,
  );
});
