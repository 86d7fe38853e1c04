/** Field encryption with the node-rsa library, for those who must use it. Slower than the default. */
import { NodeRSA } from 'node-rsa';
import { fromBase64Url } from './encryption/base64.ts';
import type { EncryptionKey, Encryptor } from './encryption/encryptor.ts';

export type { EncryptionKey, Encryptor } from './encryption/encryptor.ts';

/** An encryptor for the `encryptor` option of the client. */
export function nodeRsaEncryptor(): Encryptor {
  let parsed: { from: EncryptionKey; rsa: NodeRSA } | null = null;
  return {
    encryptPieces(key, pieces) {
      if (parsed?.from !== key) parsed = { from: key, rsa: importPublicKey(key) };
      const { rsa } = parsed;
      return pieces.map((piece) => rsa.encrypt(Buffer.from(piece)));
    },
  };
}

function importPublicKey({ n, e }: EncryptionKey): NodeRSA {
  // Its default hash is SHA-1; and components given to the constructor would make it generate a new key.
  const rsa = new NodeRSA(null, { encryptionScheme: { scheme: 'pkcs1_oaep', hash: 'sha256' } });
  const components = { n: Buffer.from(fromBase64Url(n)), e: Buffer.from(fromBase64Url(e)) };
  rsa.importKey(components, 'components-public');
  if (rsa.getKeySize() !== 4096 || !rsa.isPublic(true)) {
    throw new Error('node-rsa did not take the public key.');
  }
  return rsa;
}
