import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { MasterKey } from './master-key.ts';
import { openBox, SealError, sealBox } from './sealed-box.ts';

const KEY_BYTES = 32;
const MASTER_ID_BYTES = 16;

/**
 * An organization's data key as the store keeps it: 16 bytes naming the master key, then the key
 * sealed under it and bound to the organization.
 */
export function wrapOrganizationKey(
  master: MasterKey,
  organizationId: string,
  key: KeyObject,
): Buffer {
  const sealed = sealBox(master.wrappingKey, contextOf(organizationId), key.export());
  return Buffer.concat([Buffer.from(master.id, 'hex'), sealed]);
}

/** @throws SealError when none of the master keys wrapped it, or it is not this organization's. */
export function unwrapOrganizationKey(
  masters: readonly MasterKey[],
  organizationId: string,
  wrapped: Uint8Array,
): KeyObject {
  const id = wrappingMasterId(wrapped);
  const master = masters.find((candidate) => candidate.id === id);
  if (!master) throw new SealError('organization key is wrapped by a master key not at hand');
  const sealed = wrapped.subarray(MASTER_ID_BYTES);
  return createSecretKey(openBox(master.wrappingKey, contextOf(organizationId), sealed));
}

/** Wraps the same data key under another master key; nothing sealed with it has to change. */
export function rewrapOrganizationKey(
  masters: readonly MasterKey[],
  next: MasterKey,
  organizationId: string,
  wrapped: Uint8Array,
): Buffer {
  const key = unwrapOrganizationKey(masters, organizationId, wrapped);
  return wrapOrganizationKey(next, organizationId, key);
}

/** Which master key wrapped it, by id. */
export function wrappingMasterId(wrapped: Uint8Array): string {
  return Buffer.from(wrapped.subarray(0, MASTER_ID_BYTES)).toString('hex');
}

export function generateOrganizationKey(): KeyObject {
  return createSecretKey(randomBytes(KEY_BYTES));
}

function contextOf(organizationId: string): string {
  return JSON.stringify(['organization_key', organizationId]);
}
