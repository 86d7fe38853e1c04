import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import type { MasterKey } from './master-keys/master-key.ts';
import { openBox, SealError, sealBox } from './sealed-box.ts';

/** The owner of data that belongs to no organization: the RSA and signing private keys. */
export const SYSTEM_SCOPE = 'system';

const KEY_BYTES = 32;
const MASTER_ID_BYTES = 16;
/** In place of a sealed box's version: both master key and secret are needed. */
const WITH_SECRET = 3;

/**
 * An organization's data key as stored: 16 bytes naming the master key, then the key sealed under it,
 * under the organization's secret if there is one, and bound to the organization.
 */
export function wrapOrganizationKey(
  master: MasterKey,
  organizationId: string,
  key: KeyObject,
  secret: Uint8Array | null = null,
): Buffer {
  const wrappingKey = wrappingKeyOf(master, secret);
  const sealed = sealBox(wrappingKey, contextOf(organizationId), key.export());
  const mark = secret === null ? [] : [Buffer.of(WITH_SECRET)];
  return Buffer.concat([Buffer.from(master.id, 'hex'), ...mark, sealed]);
}

/** @throws SealError when no master key wrapped it, its secret is gone, or it belongs to another organization */
export function unwrapOrganizationKey(
  masters: readonly MasterKey[],
  organizationId: string,
  wrapped: Uint8Array,
  secret: Uint8Array | null = null,
): KeyObject {
  const id = wrappingMasterId(wrapped);
  const master = masters.find((candidate) => candidate.id === id);
  if (!master) throw new SealError('organization key is wrapped by a master key not at hand');
  const withSecret = needsSecret(wrapped);
  if (withSecret && secret === null) throw new SealError('the secret of the organization is gone');
  const sealed = wrapped.subarray(MASTER_ID_BYTES + (withSecret ? 1 : 0));
  const wrappingKey = wrappingKeyOf(master, withSecret ? secret : null);
  return createSecretKey(openBox(wrappingKey, contextOf(organizationId), sealed));
}

/** Wraps the same data key with another master key, so nothing sealed with it has to change. */
export function rewrapOrganizationKey(
  masters: readonly MasterKey[],
  next: MasterKey,
  organizationId: string,
  wrapped: Uint8Array,
  secret: Uint8Array | null = null,
): Buffer {
  const key = unwrapOrganizationKey(masters, organizationId, wrapped, secret);
  return wrapOrganizationKey(next, organizationId, key, needsSecret(wrapped) ? secret : null);
}

/** The id of the master key that wrapped it. */
export function wrappingMasterId(wrapped: Uint8Array): string {
  return Buffer.from(wrapped.subarray(0, MASTER_ID_BYTES)).toString('hex');
}

export function needsSecret(wrapped: Uint8Array): boolean {
  return wrapped[MASTER_ID_BYTES] === WITH_SECRET;
}

export function generateOrganizationKey(): KeyObject {
  return createSecretKey(randomBytes(KEY_BYTES));
}

function wrappingKeyOf(master: MasterKey, secret: Uint8Array | null): KeyObject {
  if (secret === null) return master.wrappingKey;
  const purpose = 'changgu organization key';
  return createSecretKey(
    Buffer.from(hkdfSync('sha256', master.wrappingKey, secret, purpose, KEY_BYTES)),
  );
}

function contextOf(organizationId: string): string {
  return JSON.stringify(['organization_key', organizationId]);
}
