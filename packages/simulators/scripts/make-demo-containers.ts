/**
 * Puts the corporation's demo key into the other containers that customers have, with the openssl command, and writes
 * them to src/demo/generated/containers.ts. Run it after make-demo-certificates.ts.
 */
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as asn1 from 'asn1js';
import { demoCertificates } from '../src/demo/certificates.ts';
import { openKeyFile } from '../test/open-key.ts';

const { corporation } = demoCertificates;
const ITERATIONS = 2048;
/** The older scheme has one vector for all. */
const VECTOR = Buffer.from('0123456789012345');
const SEED_CBC = '1.2.410.200004.1.4';

const work = mkdtempSync(join(tmpdir(), 'demo-containers-'));
const openssl = (...args: string[]): Buffer =>
  execFileSync('openssl', args, { cwd: work, stdio: ['ignore', 'pipe', 'ignore'] });
const octets = (content: Buffer) =>
  new asn1.OctetString({ valueHex: new Uint8Array(content).buffer });

/** PBKDF1 with SHA-1, its first 16 bytes as the key of SEED-CBC. */
function olderKey(plain: Buffer, password: string): Buffer {
  const salt = randomBytes(8);
  let derived = createHash('sha1').update(password).update(salt).digest();
  for (let round = 1; round < ITERATIONS; round += 1) {
    derived = createHash('sha1').update(derived).digest();
  }
  writeFileSync(join(work, 'plain'), plain);
  const key = derived.subarray(0, 16).toString('hex');
  const legacy = ['-provider', 'legacy', '-provider', 'default'];
  const vector = VECTOR.toString('hex');
  const sealed = openssl('enc', '-seed-cbc', ...legacy, '-K', key, '-iv', vector, '-in', 'plain');
  const parameters = new asn1.Sequence({
    value: [octets(salt), new asn1.Integer({ value: ITERATIONS })],
  });
  const scheme = new asn1.Sequence({
    value: [new asn1.ObjectIdentifier({ value: SEED_CBC }), parameters],
  });
  return Buffer.from(new asn1.Sequence({ value: [scheme, octets(sealed)] }).toBER());
}

function pkcs12(plain: Buffer, password: string): Buffer {
  writeFileSync(join(work, 'key.der'), plain);
  writeFileSync(join(work, 'certificate.der'), corporation.certificateDer);
  openssl('pkey', '-inform', 'DER', '-in', 'key.der', '-out', 'key.pem');
  openssl('x509', '-inform', 'DER', '-in', 'certificate.der', '-out', 'certificate.pem');
  return openssl(
    'pkcs12', '-export', '-inkey', 'key.pem', '-in', 'certificate.pem',
    '-passout', `pass:${password}`,
  ); // biome-ignore format: one line per meaning
}

const plain = openKeyFile(corporation);
writeFileSync(
  new URL('../src/demo/generated/containers.ts', import.meta.url),
  [
    '// Made by scripts/make-demo-containers.ts. Demo only: nothing real is signed with this key.',
    `export const olderKeyDer = '${olderKey(plain, corporation.password).toString('base64')}';`,
    `export const pkcs12Der = '${pkcs12(plain, corporation.password).toString('base64')}';`,
    '',
  ].join('\n'),
);
rmSync(work, { recursive: true });
