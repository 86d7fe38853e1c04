/** One public key of the service's JWKS. */
export interface EncryptionKey {
  readonly kid: string;
  readonly kty: string;
  readonly alg: string;
  readonly use: string;
  /** Modulus, base64url. */
  readonly n: string;
  /** Exponent, base64url. */
  readonly e: string;
}

/** An implementation of RSA-OAEP with SHA-256 for hash and MGF1 and no label. Returns 512 bytes for each block. */
export interface Encryptor {
  encryptPieces(
    key: EncryptionKey,
    pieces: readonly Uint8Array[],
  ): readonly Uint8Array[] | Promise<readonly Uint8Array[]>;
}
