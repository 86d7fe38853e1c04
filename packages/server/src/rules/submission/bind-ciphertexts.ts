export interface CiphertextUse {
  /** Keyed hash of the ciphertext. */
  readonly hash: string;
  readonly field: string;
}

export interface ReceivedCiphertexts {
  readonly uses: readonly CiphertextUse[];
  /** For how long a key that opens them may be in force, in milliseconds. */
  readonly keptMs: number;
}

/** What a request's ciphertexts are known by; null where it brings none. */
export type ReceiveCiphertexts = (
  organizationId: number,
  fields: Readonly<Record<string, string>>,
) => Promise<ReceivedCiphertexts | null>;

/**
 * Binds ciphertexts to the field they came for and to a link or identity; null while that is not known.
 * Answers the name of the first that is bound elsewhere, which must be refused as if it did not decrypt.
 * @see docs/specification/security.md#d159
 */
export type BindCiphertexts<Target extends string | null = string | null> = (
  organizationId: number,
  fields: Readonly<Record<string, string>>,
  target: Target,
) => Promise<string | null>;
