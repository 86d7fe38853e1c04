import { ENV_SCOPES, type EnvScope } from '@changgu/contract';
import { SYSTEM_SCOPE } from './organization-key.ts';

const PREFIX = 'encryption_keys';

/** The keys that decrypt what is sent to one organization in one environment. */
export type EncryptionRing = `${typeof PREFIX}:${number}:${EnvScope}`;

/** One ring signs tokens, one receipts, one is the authorization server's; the others hold encryption keys. */
export type RingName = 'signing_keys' | 'oauth_keys' | 'receipt_keys' | EncryptionRing;

/** The pattern of all encryption rings. */
export const ENCRYPTION_RINGS = `${PREFIX}:%`;

export function encryptionRing(organizationId: number, envScope: EnvScope): EncryptionRing {
  return `${PREFIX}:${organizationId}:${envScope}`;
}

export function encryptionRingsOf(organizationId: number): EncryptionRing[] {
  return ENV_SCOPES.map((envScope) => encryptionRing(organizationId, envScope));
}

/** Whose data key seals the keys of a ring: the organization's in its name, or the system's. */
export function scopeOfRing(ring: string): string {
  const [, organizationId = SYSTEM_SCOPE] = ring.split(':');
  return organizationId;
}
