import rc2 from 'node-forge/lib/rc2.js';
import util from 'node-forge/lib/util.js';
import { wrongPassword } from '../certificate-error.ts';

/** RC2-CBC, in which older exporters still seal certificates and which Node's OpenSSL no longer has. */
export function decryptRc2(key: Uint8Array, iv: Uint8Array, ciphertext: Uint8Array): Uint8Array {
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
  const decryption = rc2.createDecryptionCipher(text(key), key.length * 8);
  decryption.start(text(iv));
  decryption.update(util.createBuffer(text(ciphertext)));
  if (!decryption.finish()) throw wrongPassword();
  return Buffer.from(decryption.output.getBytes(), 'latin1');
}
