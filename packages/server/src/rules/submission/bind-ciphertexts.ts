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
