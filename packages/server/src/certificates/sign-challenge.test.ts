import { verify, X509Certificate } from 'node:crypto';
import { expect, it } from 'vitest';
import { certificateFile } from '../../test/fixtures/certificates/certificate-files.ts';
import { signChallenge } from './sign-challenge.ts';

it('a signed challenge is verified by the certificate, and no other challenge is', async () => {
  const { publicKey } = new X509Certificate(certificateFile('person.der'));
  const challenge = Buffer.from('nonce-20261121');
  const signature = await signChallenge(certificateFile('person.pkcs8.der'), challenge);
  expect(verify('sha256', challenge, publicKey, signature)).toBe(true);
  expect(verify('sha256', Buffer.from('nonce-20261122'), publicKey, signature)).toBe(false);
});
