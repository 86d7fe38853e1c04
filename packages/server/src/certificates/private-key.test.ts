import { createPrivateKey, hash } from 'node:crypto';
import { Integer, Null, ObjectIdentifier, OctetString, Sequence } from 'asn1js';
import fc from 'fast-check';
import { KISA_SEED_CBC } from 'kisa-seed';
import { describe, expect, it } from 'vitest';
import {
  certificateFile,
  certificatePassword,
} from '../../test/fixtures/certificates/certificate-files.ts';
import { CertificateError } from './certificate-error.ts';
import { elements, octets, parseDer } from './der.ts';
import { openPrivateKey } from './private-key.ts';

const personKey = createPrivateKey({
  key: certificateFile('person.pkcs8.der'),
  format: 'der',
  type: 'pkcs8',
});
const PBES2_FILES = [
  'aes-128-sha1.key',
  'aes-192-sha256.key',
  'aes-256-sha512.key',
  'seed-sha1.key',
  'seed-sha256.key',
];
const FILES = [...PBES2_FILES, 'pbes1-seed.key'];

function errorOf(key: Uint8Array, password = certificatePassword): Promise<unknown> {
  return openPrivateKey(key, password).then(
    () => undefined,
    (error: unknown) => error,
  );
}

async function failureOf(key: Uint8Array, password?: string) {
  const error = await errorOf(key, password);
  if (error instanceof CertificateError) return error;
  throw new Error('expected a CertificateError', { cause: error });
}

describe('encrypted private keys (D99)', () => {
  it.each(FILES)('%s opens to the key that OpenSSL encrypted', async (file) => {
    const { privateKey } = await openPrivateKey(certificateFile(file), certificatePassword);
    expect(privateKey.equals(personKey)).toBe(true);
  });

  it.each(FILES)('%s answers wrong passwords with WRONG_PASSWORD', async (file) => {
    const key = certificateFile(file);
    for (const password of ['', 'wrong', `${certificatePassword} `, '비밀번호']) {
      const failure = await failureOf(key, password);
      expect(failure.failure).toBe('WRONG_PASSWORD');
      expect(failure.message).not.toContain(password || certificatePassword);
    }
  });

  it.each(['aes-128-sha1.key', 'pbes1-seed.key'])(
    '%s: a wrong password is told even when the padding happens to fit',
    async (file) => {
      const [algorithm, content] = elements(parseDer(certificateFile(file)));
      // In CBC the last block decrypts right after its neighbour: a padding that fits, on no key.
      const valueHex = Buffer.from(octets(content).subarray(-32));
      const key = new Sequence({ value: [algorithm ?? new Null(), new OctetString({ valueHex })] });
      expect((await failureOf(new Uint8Array(key.toBER()))).failure).toBe('WRONG_PASSWORD');
    },
  );

  it('opens a key of the older scheme: SEED-CBC alone, with one vector for all', async () => {
    const salt = Buffer.from('0102030405060708', 'hex');
    let derived = hash('sha1', Buffer.concat([Buffer.from(certificatePassword), salt]), 'buffer');
    for (let round = 1; round < 2_048; round += 1) derived = hash('sha1', derived, 'buffer');
    const plain = certificateFile('person.pkcs8.der');
    const vector = Buffer.from('0123456789012345');
    const key = derived.subarray(0, 16);
    const sealed = KISA_SEED_CBC.SEED_CBC_Encrypt(key, vector, plain, 0, plain.length);
    const parameters = new Sequence({
      value: [
        new OctetString({ valueHex: Uint8Array.from(salt).buffer }),
        new Integer({ value: 2_048 }),
      ],
    });
    const scheme = new Sequence({
      value: [new ObjectIdentifier({ value: '1.2.410.200004.1.4' }), parameters],
    });
    const content = new OctetString({ valueHex: Uint8Array.from(sealed).buffer });
    const file = Buffer.from(new Sequence({ value: [scheme, content] }).toBER());
    const { privateKey } = await openPrivateKey(file, certificatePassword);
    expect(privateKey.equals(personKey)).toBe(true);
    expect(await errorOf(file, 'wrong')).toMatchObject({ name: 'CertificateError' });
  });

  it('reads the random of the virtual id, where there is one', async () => {
    const korean = await openPrivateKey(certificateFile('pbes1-seed.key'), certificatePassword);
    expect(Buffer.from(korean.randomVid ?? []).toString('hex')).toBe(
      '00112233445566778899aabbccddeeff01234567',
    );
    const other = await openPrivateKey(certificateFile('seed-sha256.key'), certificatePassword);
    expect(other.randomVid).toBeNull();
  });

  it.each([
    ['an unknown cipher', certificateFile('des3-sha256.key')],
    ['a key that is not encrypted', certificateFile('person.pkcs8.der')],
    ['a certificate', certificateFile('person.der')],
    ['nothing', new Uint8Array()],
    ['more than any key', Buffer.alloc(20_000, 0x30)],
    ['text', Buffer.from('not a key')],
    ['a time without digits', Buffer.of(0x18, 1, 0x41)],
    ['a key cut short', certificateFile('seed-sha256.key').subarray(0, -1)],
    ['a key with a tail', Buffer.concat([certificateFile('seed-sha256.key'), Buffer.of(0)])],
  ])('%s is MALFORMED', async (_, key) => {
    expect((await failureOf(key)).failure).toBe('MALFORMED');
  });

  it('an iteration count meant to exhaust us is MALFORMED, at once', async () => {
    const key = certificateFile('pbes1-seed.key');
    const at = key.indexOf(Buffer.from('02020800', 'hex'));
    expect(at).toBeGreaterThan(0);
    key.writeUInt16BE(0x7fff, at + 2);
    expect((await failureOf(key)).failure).toBe('MALFORMED');
  });

  it.each(['aes-128-sha1.key', 'pbes1-seed.key'])(
    '%s with any byte changed opens or fails as a certificate error, never otherwise',
    async (file) => {
      const key = certificateFile(file);
      await fc.assert(
        fc.asyncProperty(
          fc.nat(key.length - 1),
          fc.integer({ min: 1, max: 255 }),
          async (at, by) => {
            const changed = Buffer.from(key);
            changed.writeUInt8(changed.readUInt8(at) ^ by, at);
            const error = await errorOf(changed);
            expect(error === undefined || error instanceof CertificateError).toBe(true);
          },
        ),
        { numRuns: 150 },
      );
    },
    30_000,
  );

  it('any bytes at all fail as a certificate error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        expect((await failureOf(bytes)).failure).toBe('MALFORMED');
      }),
    );
  });
});
