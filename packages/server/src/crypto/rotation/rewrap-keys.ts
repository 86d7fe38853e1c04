import type { MasterKeySource } from '../master-keys/master-key.ts';
import { rewrapOrganizationKey, wrappingMasterId } from '../organization-key.ts';
import type { OrganizationSecrets } from '../organization-secrets.ts';

const PAGE = 200;

interface Wrapping {
  readonly wrapped: Uint8Array;
  /** The previous data key, while rows are being re-encrypted. */
  readonly previous: Uint8Array | null;
}

/** The wrapped data keys of all organizations, as stored. */
export interface WrappedKeyStore {
  readonly page: (from: {
    readonly after: string;
    readonly limit: number;
  }) => Promise<readonly (Wrapping & { readonly scope: string })[]>;
  /** False when another process has rewrapped the key in the meantime. */
  readonly rewrap: (change: {
    readonly scope: string;
    readonly from: Uint8Array;
    readonly to: Wrapping;
  }) => Promise<boolean>;
  readonly setMasterKeyCheck: (check: {
    readonly id: string;
    readonly onlyIfAbsent: boolean;
  }) => Promise<unknown>;
}

/**
 * Wraps every data key with the current master key and records which one that is. Data sealed with the data keys
 * stays as it is. Safe to repeat; returns how many keys were rewrapped.
 */
export async function rewrapKeys(
  organizationKeys: WrappedKeyStore,
  masterKeys: MasterKeySource,
  secrets: Pick<OrganizationSecrets, 'read'>,
): Promise<number> {
  const [current] = masterKeys.keys();
  let rewrapped = 0;
  let after = '';
  for (;;) {
    const page = await organizationKeys.page({ after, limit: PAGE });
    for (const { scope, wrapped, previous } of page) {
      after = scope;
      const wrappings = previous === null ? [wrapped] : [wrapped, previous];
      if (wrappings.every((each) => wrappingMasterId(each) === current.id)) continue;
      const secret = await secrets.read(scope);
      const again = (bytes: Uint8Array) =>
        rewrapOrganizationKey(masterKeys.keys(), current, scope, bytes, secret);
      const to = { wrapped: again(wrapped), previous: previous && again(previous) };
      if (await organizationKeys.rewrap({ scope, from: wrapped, to })) rewrapped += 1;
    }
    if (page.length < PAGE) break;
  }
  await organizationKeys.setMasterKeyCheck({ id: current.id, onlyIfAbsent: false });
  return rewrapped;
}
