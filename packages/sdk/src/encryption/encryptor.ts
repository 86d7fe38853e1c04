/** One public key of the service's JWKS (spec "Encryption key"). */
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

/** A way to do RSA-OAEP with SHA-256 for hash and MGF1 and no label. Gets exact pieces, gives 512 bytes for each. */
export interface Encryptor {
  encryptPieces(
    key: EncryptionKey,
    pieces: readonly Uint8Array[],
  ): readonly Uint8Array[] | Promise<readonly Uint8Array[]>;
}
