import { createHmac, randomBytes } from 'node:crypto';
import type { Vault } from '../crypto/vault.ts';
import type { Store } from '../store/database.ts';
import { identityKeyPlace } from '../store/schema/sealed-places.ts';

/** Whom a credential stands for. */
export interface IdentityOf {
  readonly kind: 'certificate' | 'login' | 'consent' | 'account' | 'ciphertext';
  readonly parts: readonly string[];
}

export interface Identities {
  /**
   * A keyed hash, as hex: the same identity is recognized again, but login ids and account numbers,
   * of which there are few enough to try, cannot be found out without the organization's key.
   */
  hash(organizationId: number, identity: IdentityOf): Promise<string>;
}

export function createIdentities(
  { organizationKeys }: Pick<Store, 'organizationKeys'>,
  vault: Pick<Vault, 'seal' | 'open'>,
): Identities {
  async function keyOf(organizationId: number): Promise<Uint8Array> {
    const scope = String(organizationId);
    const place = identityKeyPlace(organizationId);
    const existing =
      (await organizationKeys.identityKey(scope)) ??
      (await organizationKeys.saveIdentityKeyIfAbsent({
        scope,
        sealed: await vault.seal(scope, place, randomBytes(32)),
      }));
    return vault.open(scope, place, existing);
  }

  return {
    async hash(organizationId, { kind, parts }) {
      const key = await keyOf(organizationId);
      return createHmac('sha256', key)
        .update(JSON.stringify([kind, ...parts]))
        .digest('hex');
    },
  };
}
