import { ENCRYPTION_KEY_POLICY } from '../crypto/encryption-keys.ts';
import type { Store } from '../store/database.ts';
import type { Identities } from './identity.ts';

/** No key that opens a ciphertext of today is in force for longer. */
const BOUND_MS = ENCRYPTION_KEY_POLICY.currentMs + ENCRYPTION_KEY_POLICY.previousMs;

/**
 * Binds ciphertexts to the field they came for and to a link or identity; null while that is not known.
 * Answers the name of the first that is bound elsewhere, which must be refused as if it did not decrypt.
 * @see docs/specification/security.md#d159
 */
export type BindCiphertexts = (
  organizationId: number,
  fields: Readonly<Record<string, string>>,
  target: string | null,
) => Promise<string | null>;

export function createCiphertextBinding(
  { boundCiphertexts, clock }: Pick<Store, 'boundCiphertexts' | 'clock'>,
  identities: Identities,
): BindCiphertexts {
  return async (organizationId, fields, target) => {
    const uses = [];
    for (const [field, value] of Object.entries(fields)) {
      const hash = await identities.hash(organizationId, { kind: 'ciphertext', parts: [value] });
      uses.push({ hash, field });
    }
    if (uses.length === 0) return null;
    const expiresAt = (await clock.realNow()) + BOUND_MS;
    return boundCiphertexts.bind({ organizationId, uses, target, expiresAt });
  };
}
