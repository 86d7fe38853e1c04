import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { DemoCertificate } from '../src/index.ts';
import { demoCertificates } from '../src/index.ts';
import { openKey, openKeyFile } from './open-key.ts';

const { magic, ...named } = demoCertificates;
const all: readonly DemoCertificate[] = [...Object.values(named), ...Object.values(magic)];

describe('demo certificates', () => {
  it.each(all.map((entry) => [entry.name, entry] as const))('%s opens and fits', (_, entry) => {
    const certificate = new X509Certificate(entry.certificateDer);
    expect(certificate.checkPrivateKey(openKey(entry))).toBe(true);
    expect(certificate.validToDate.getUTCFullYear()).toBe(entry.name === 'expired' ? 2024 : 2046);
    const random = entry.randomVid;
    expect(random === null || openKeyFile(entry).includes(random)).toBe(true);
  });

  it('are encrypted in each of the three ways', () => {
    const schemes = all.map(({ encryptedKeyDer }) => encryptedKeyDer.toString('hex'));
    const oids = {
      seed: '06082a831a8c9a440104',
      koreanPbes1: '06082a831a8c9a44010f',
      aes256: '060960864801650304012a',
    };
    for (const oid of Object.values(oids)) {
      expect(schemes.some((key) => key.includes(oid))).toBe(true);
    }
  });

  it('a wrong password opens nothing', () => {
    expect(() => openKey({ ...named.individual, password: 'wrong' })).toThrow(
      /decrypt|asn1|DECODER/i,
    );
    expect(() => openKey({ ...named.soleProprietor, password: 'wrong' })).toThrow(
      /decrypt|asn1|DECODER|key/i,
    );
  });

  it('another certificate does not fit the key', () => {
    const certificate = new X509Certificate(named.corporation.certificateDer);
    expect(certificate.checkPrivateKey(openKey(named.individual))).toBe(false);
  });
});
