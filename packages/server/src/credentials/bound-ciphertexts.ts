import { ENCRYPTION_KEY_POLICY } from '../crypto/encryption-keys.ts';
import { RSA_BLOCK_BYTES } from '../crypto/rsa-oaep.ts';
import type {
  BindCiphertexts,
  CiphertextUse,
  ReceiveCiphertexts,
} from '../rules/submission/bind-ciphertexts.ts';
import type { Store } from '../store/database.ts';
import type { Identities } from './identity.ts';

/** No key that opens a ciphertext of today is in force for longer. */
const BOUND_MS = ENCRYPTION_KEY_POLICY.currentMs + ENCRYPTION_KEY_POLICY.previousMs;

export function createCiphertextReceipt(identities: Identities): ReceiveCiphertexts {
  return async (organizationId, fields) => {
    const uses: CiphertextUse[] = [];
    for (const [field, value] of Object.entries(fields)) {
      for (const block of blocksOf(value)) {
        const hash = await identities.hash(organizationId, { kind: 'ciphertext', parts: [block] });
        uses.push({ hash, field: storable(field) });
      }
    }
    return uses.length === 0 ? null : { uses, keptMs: BOUND_MS };
  };
}

export function createCiphertextBinding(
  { boundCiphertexts }: Pick<Store, 'boundCiphertexts'>,
  receive: ReceiveCiphertexts,
): BindCiphertexts {
  return async (organizationId, fields, target) => {
    const received = await receive(organizationId, fields);
    return received && boundCiphertexts.bind({ ...received, organizationId, target });
  };
}

/** A caller may name a field anything, and the job fails if it is none; but PostgreSQL keeps no text with a NUL. */
function storable(field: string): string {
  return field.includes('\u0000') ? JSON.stringify(field) : field;
}

/**
 * Each block on its own, in the one spelling of its bytes: Base64 can be spelled in several ways, and blocks
 * can be added to a value or cut out of it.
 */
function blocksOf(value: string): Set<string> {
  const bytes = Buffer.from(value, 'base64');
  const blocks = new Set<string>();
  for (let at = 0; at < bytes.length; at += RSA_BLOCK_BYTES) {
    blocks.add(bytes.subarray(at, at + RSA_BLOCK_BYTES).toString('base64'));
  }
  return blocks;
}
