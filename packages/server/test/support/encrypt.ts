import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import { currentRsaKey } from '../fixtures/rsa-oaep/rsa-keys.ts';

const PIECE = 446;
const key = createPublicKey(currentRsaKey);

/** Encrypts a value for the test servers as the wire has it: pieces of 446 bytes, base64. */
export function encrypt(value: string | Uint8Array): string {
  const bytes = Buffer.from(value);
  const pieces: Buffer[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += PIECE) {
    const piece = bytes.subarray(at, at + PIECE);
    const padding = constants.RSA_PKCS1_OAEP_PADDING;
    pieces.push(publicEncrypt({ key, padding, oaepHash: 'sha256' }, piece));
  }
  return Buffer.concat(pieces).toString('base64');
}
