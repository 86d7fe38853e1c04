import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  certificateFile,
  certificatePassword,
} from '../../test/fixtures/certificates/certificate-files.ts';
import { openCertificate } from './open-certificate.ts';

const person = {
  certificate: certificateFile('person.der'),
  encryptedKey: certificateFile('pbes1-seed.key'),
  password: certificatePassword,
};
const { validFromDate, validToDate, serialNumber } = new X509Certificate(person.certificate);
const NOW = validFromDate.getTime() + 86_400_000;

const toPem = (label: string, der: Buffer) =>
  Buffer.from(`-----BEGIN ${label}-----\n${base64Lines(der)}\n-----END ${label}-----\n`);
const base64Lines = (der: Buffer) => der.toString('base64').replaceAll(/.{64}/g, '$&\n');

describe('opening a certificate (D99)', () => {
  it('tells whose it is, by whom and until when', async () => {
    const opened = await openCertificate(person, NOW);
    expect(opened).toMatchObject({
      subjectCn: '홍길동()0001234567890123',
      issuer: 'CN=Changgu Test CA Class 2,OU=AccreditedCA,O=Changgu Test,C=KR',
      serial: serialNumber,
      notAfter: validToDate.getTime(),
      policyOid: '1.2.410.200005.1.1.4',
    });
    expect(Buffer.from(opened.certificateDer)).toEqual(person.certificate);
    expect(Buffer.from(opened.privateKeyDer)).toEqual(certificateFile('person.pkcs8.der'));
    expect(opened.randomVid).toHaveLength(20);
  });

  it.each([
    ['base64', (der: Buffer) => Buffer.from(der.toString('base64'))],
    ['base64 in lines', (der: Buffer) => Buffer.from(`${base64Lines(der)}\r\n`)],
    ['PEM', (der: Buffer) => toPem('ENCRYPTED PRIVATE KEY', der)],
  ])('takes %s as well as DER', async (_, encode) => {
    const upload = {
      certificate: encode(person.certificate),
      encryptedKey: encode(person.encryptedKey),
      password: person.password,
    };
    expect(await openCertificate(upload, NOW)).toEqual(await openCertificate(person, NOW));
  });

  it('may have no policy', async () => {
    const certificate = certificateFile('person-no-policy.der');
    expect((await openCertificate({ ...person, certificate }, NOW)).policyOid).toBeNull();
  });

  it.each([
    ['a wrong password', { password: 'wrong' }, 'WRONG_PASSWORD'],
    ['the key of another', { certificate: certificateFile('corporation.der') }, 'KEY_MISMATCH'],
    ['a key in place of the certificate', { certificate: person.encryptedKey }, 'MALFORMED'],
    ['a certificate cut short', { certificate: person.certificate.subarray(0, 99) }, 'MALFORMED'],
    ['no certificate', { certificate: new Uint8Array() }, 'MALFORMED'],
    ['text for a certificate', { certificate: Buffer.from('hello, world') }, 'MALFORMED'],
    ['no key', { encryptedKey: new Uint8Array() }, 'MALFORMED'],
  ])('%s is refused', async (_, changed, failure) => {
    await expect(openCertificate({ ...person, ...changed }, NOW)).rejects.toMatchObject({
      name: 'CertificateError',
      failure,
    });
  });

  it.each([
    ['a second before it begins', validFromDate.getTime() - 1_000, 'NOT_YET_VALID'],
    ['a second after it ends', validToDate.getTime() + 1_000, 'EXPIRED'],
  ])('D133 %s it is refused', async (_, now, failure) => {
    await expect(openCertificate(person, now)).rejects.toMatchObject({ failure });
  });

  it('in its first and last second it is accepted', async () => {
    for (const now of [validFromDate.getTime(), validToDate.getTime()]) {
      expect(await openCertificate(person, now)).toMatchObject({ serial: serialNumber });
    }
  });
});
