/**
 * Makes the demo CA, the demo certificates and their encrypted keys with the openssl command, and
 * writes them to src/demo/generated/certificates.ts. Run it only to replace the fixtures: the
 * linked demo organizations of everybody's data directories hold the old ones.
 */
import { execFileSync } from 'node:child_process';
import {
  createHash,
  createPrivateKey,
  pbkdf2Sync,
  randomBytes,
  X509Certificate,
} from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as asn1 from 'asn1js';
import type { CertificateRequest } from '../src/demo/certificate-requests.ts';
import { certificateRequests } from '../src/demo/certificate-requests.ts';

const OID = {
  pbes2: '1.2.840.113549.1.5.13',
  pbkdf2: '1.2.840.113549.1.5.12',
  hmacSha256: '1.2.840.113549.2.9',
  aes256Cbc: '2.16.840.1.101.3.4.1.42',
  seedCbc: '1.2.410.200004.1.4',
  seedCbcWithSha1: '1.2.410.200004.1.15',
  randomNumber: '1.2.410.200004.10.1.1.3',
};
const ITERATIONS = 2048;
const work = mkdtempSync(join(tmpdir(), 'demo-ca-'));
const file = (name: string): string => join(work, name);
const legacy = ['-provider', 'legacy', '-provider', 'default'];

function openssl(...args: string[]): Buffer {
  return execFileSync('openssl', args, { cwd: work, stdio: ['ignore', 'pipe', 'ignore'] });
}

const CA_CONFIG = `
[ca]
default_ca = demo
[demo]
dir = .
database = index.txt
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
unique_subject = no
preserve = yes
[any]
countryName = supplied
organizationName = supplied
organizationalUnitName = optional
commonName = supplied
[authority]
basicConstraints = critical,CA:true
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
`;

function newKey(name: string): void {
  openssl('genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048', '-out', name);
}

function signRequest(
  name: string,
  subject: string,
  issuer: { key: string; certificate: string } | null,
  extensions: string,
  validity: { from: string; to: string },
): void {
  writeFileSync(file('ca.cnf'), CA_CONFIG + extensions);
  openssl('req', '-new', '-utf8', '-key', `${name}.key`, '-subj', subject, '-out', `${name}.csr`);
  const signer = issuer
    ? ['-keyfile', issuer.key, '-cert', issuer.certificate]
    : ['-selfsign', '-keyfile', `${name}.key`];
  const section = extensions.includes('[leaf]') ? 'leaf' : 'authority';
  openssl(
    'ca', '-batch', '-utf8', '-notext', '-config', 'ca.cnf', '-extensions', section,
    '-startdate', validity.from, '-enddate', validity.to,
    '-in', `${name}.csr`, '-out', `${name}.crt`, ...signer,
  ); // biome-ignore format: one line per meaning
}

const der = (value: asn1.BaseBlock): Buffer => Buffer.from(value.toBER());
const oid = (value: string): asn1.ObjectIdentifier => new asn1.ObjectIdentifier({ value });
const sequence = (...value: asn1.BaseBlock[]): asn1.Sequence => new asn1.Sequence({ value });
const octets = (bytes: Uint8Array): asn1.OctetString =>
  new asn1.OctetString({ valueHex: new Uint8Array(bytes).buffer });

/** PKCS#8 with the certificate's random number as attribute, as Korean joint certificates carry it. */
function privateKeyInfo(keyPem: Buffer, random: Buffer): Buffer {
  const plain = createPrivateKey(keyPem).export({ type: 'pkcs8', format: 'der' });
  const parsed = asn1.fromBER(new Uint8Array(plain).buffer).result;
  if (!(parsed instanceof asn1.Sequence)) throw new Error('not a PKCS#8 key');
  const attribute = sequence(
    oid(OID.randomNumber),
    new asn1.Set({ value: [new asn1.BitString({ valueHex: new Uint8Array(random).buffer })] }),
  );
  parsed.valueBlock.value.push(
    new asn1.Constructed({ idBlock: { tagClass: 3, tagNumber: 0 }, value: [attribute] }),
  );
  return der(parsed);
}

/** The cipher is the openssl command's, so that the fixtures judge any own SEED implementation. */
function encipher(cipher: string, key: Buffer, iv: Buffer, plain: Buffer): Buffer {
  writeFileSync(file('plain'), plain);
  return openssl(
    'enc', `-${cipher}`, ...legacy, '-K', key.toString('hex'), '-iv', iv.toString('hex'),
    '-in', 'plain',
  ); // biome-ignore format: one line per meaning
}

function pbes2(plain: Buffer, password: string, cipher: 'seed-cbc' | 'aes-256-cbc'): Buffer {
  const salt = randomBytes(8);
  const iv = randomBytes(16);
  const keyLength = cipher === 'seed-cbc' ? 16 : 32;
  const key = pbkdf2Sync(password, salt, ITERATIONS, keyLength, 'sha256');
  const derivation = sequence(
    oid(OID.pbkdf2),
    sequence(
      octets(salt),
      new asn1.Integer({ value: ITERATIONS }),
      sequence(oid(OID.hmacSha256), new asn1.Null()),
    ),
  );
  const scheme = sequence(oid(cipher === 'seed-cbc' ? OID.seedCbc : OID.aes256Cbc), octets(iv));
  return der(
    sequence(
      sequence(oid(OID.pbes2), sequence(derivation, scheme)),
      octets(encipher(cipher, key, iv, plain)),
    ),
  );
}

/** PBKDF1 with SHA-1; 16 bytes are the key, SHA-1 of the remaining four gives the IV. */
function koreanPbes1(plain: Buffer, password: string): Buffer {
  const salt = randomBytes(8);
  let derived = createHash('sha1').update(password).update(salt).digest();
  for (let round = 1; round < ITERATIONS; round += 1) {
    derived = createHash('sha1').update(derived).digest();
  }
  const iv = createHash('sha1').update(derived.subarray(16, 20)).digest().subarray(0, 16);
  const parameters = sequence(octets(salt), new asn1.Integer({ value: ITERATIONS }));
  return der(
    sequence(
      sequence(oid(OID.seedCbcWithSha1), parameters),
      octets(encipher('seed-cbc', derived.subarray(0, 16), iv, plain)),
    ),
  );
}

function encryptedKey(request: CertificateRequest, random: Buffer): Buffer {
  const name = request.name;
  if (request.encryption === 'openssl-seed') {
    return openssl(
      'pkcs8', '-topk8', '-v2', 'seed-cbc', ...legacy, '-in', `${name}.key`,
      '-passout', `pass:${request.password}`, '-outform', 'DER',
    ); // biome-ignore format: one line per meaning
  }
  const plain = privateKeyInfo(readFileSync(file(`${name}.key`)), random);
  if (request.encryption === 'pbes1-seed') return koreanPbes1(plain, request.password);
  const cipher = request.encryption === 'pbes2-seed' ? 'seed-cbc' : 'aes-256-cbc';
  return pbes2(plain, request.password, cipher);
}

const LONG = { from: '20240101000000Z', to: '20461231235959Z' };
const EXPIRED = { from: '20220101000000Z', to: '20240101000000Z' };

function makeAuthority(name: string, commonName: string): void {
  newKey(`${name}.key`);
  signRequest(name, `/C=kr/O=yessign-demo/OU=AccreditedCA/CN=${commonName}`, null, '', LONG);
}

function makeCertificate(request: CertificateRequest): string {
  newKey(`${request.name}.key`);
  const authority = request.untrusted ? 'other' : 'demo';
  const subject = `/C=kr/O=yessign-demo/OU=${request.unit}/CN=${request.commonName}`;
  const leaf = `
[leaf]
keyUsage = critical,digitalSignature,nonRepudiation
certificatePolicies = ${request.policyOid}
authorityKeyIdentifier = keyid
subjectKeyIdentifier = hash
`;
  signRequest(
    request.name,
    subject,
    { key: `${authority}.key`, certificate: `${authority}.crt` },
    leaf,
    request.expired ? EXPIRED : LONG,
  );
  const random = randomBytes(20);
  const certificate = new X509Certificate(readFileSync(file(`${request.name}.crt`))).raw;
  const fields = {
    certificateDer: certificate.toString('base64'),
    encryptedKeyDer: encryptedKey(request, random).toString('base64'),
    randomVid: request.encryption === 'openssl-seed' ? null : random.toString('base64'),
  };
  return `  '${request.name}': ${JSON.stringify(fields)},`;
}

writeFileSync(file('index.txt'), '');
writeFileSync(file('serial'), '5A10C0DE0001');
makeAuthority('demo', 'yessignCA Class 3 (Demo)');
makeAuthority('other', 'Some Other CA (Demo)');
const authority = new X509Certificate(readFileSync(file('demo.crt'))).raw.toString('base64');
const entries = certificateRequests.map(makeCertificate);
writeFileSync(
  new URL('../src/demo/generated/certificates.ts', import.meta.url),
  [
    '// Made by scripts/make-demo-certificates.ts. Demo only: nothing real is signed with these keys.',
    `export const authorityDer = '${authority}';`,
    'export const certificateFiles: Record<',
    '  string,',
    '  { certificateDer: string; encryptedKeyDer: string; randomVid: string | null }',
    '> = {',
    ...entries,
    '};',
    '',
  ].join('\n'),
);
rmSync(work, { recursive: true });
