import { KST_TIME } from '@changgu/contract/schemas';
import { expect, it } from 'vitest';
import {
  certificateFile,
  certificatePassword,
} from '../../test/fixtures/certificates/certificate-files.ts';
import { presentCertificate } from './certificate-credential.ts';
import { toCertificate } from './link-records.ts';

const IN_FORCE = Date.UTC(2030, 0, 1);

it('a certificate that never ends has a time of four-digit years (D143)', async () => {
  const fixture = certificateFile('person-no-policy.der').toString('latin1');
  // RFC 5280's time for no end, which is in the year 10000 in Korea. Nothing checks the signature.
  const endless = fixture.replace(/2126\d{10}Z/, '99991231235959Z');
  expect(endless).not.toBe(fixture);
  const { certificate } = await presentCertificate(
    {
      certificate: Buffer.from(endless, 'latin1'),
      encryptedKey: certificateFile('seed-sha1.key'),
      password: certificatePassword,
    },
    { randomVid: null, policyOid: null },
    IN_FORCE,
  );
  expect(toCertificate(certificate)?.not_after).toMatch(new RegExp(KST_TIME));
});
