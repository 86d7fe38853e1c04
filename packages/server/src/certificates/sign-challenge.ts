import { createPrivateKey, sign } from 'node:crypto';
import { promisify } from 'node:util';

/**
 * Signs a portal's challenge as a certificate login does: SHA256withRSA (PKCS#1 v1.5), in the libuv
 * pool. `privateKeyDer` is PKCS#8.
 */
export async function signChallenge(
  privateKeyDer: Uint8Array,
  challenge: Uint8Array,
): Promise<Uint8Array> {
  const key = createPrivateKey({ key: Buffer.from(privateKeyDer), format: 'der', type: 'pkcs8' });
  return promisify(sign)('sha256', challenge, key);
}
