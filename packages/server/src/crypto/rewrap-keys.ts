import type { MasterKeySource } from './master-key.ts';
import { rewrapOrganizationKey, wrappingMasterId } from './organization-key.ts';

const PAGE = 200;

/** The wrapped data keys of all organizations, as the store keeps them. */
export interface WrappedKeyStore {
  readonly page: (from: {
    readonly after: string;
    readonly limit: number;
  }) => Promise<readonly { readonly scope: string; readonly wrapped: Uint8Array }[]>;
  /** False when the key was wrapped anew by another process meanwhile. */
  readonly rewrap: (change: {
    readonly scope: string;
    readonly from: Uint8Array;
    readonly to: Uint8Array;
  }) => Promise<boolean>;
  readonly setMasterKeyCheck: (check: {
    readonly id: string;
    readonly onlyIfAbsent: boolean;
  }) => Promise<unknown>;
}

/**
 * Wraps every data key by the master key in use and writes which one that is. What is sealed with the
 * data keys stays as it is. Can be repeated; answers how many keys changed their wrapping.
 */
export async function rewrapKeys(
  organizationKeys: WrappedKeyStore,
  masterKeys: MasterKeySource,
): Promise<number> {
  const [current] = masterKeys.keys();
  let rewrapped = 0;
  let after = '';
  for (;;) {
    const page = await organizationKeys.page({ after, limit: PAGE });
    for (const { scope, wrapped } of page) {
      after = scope;
      if (wrappingMasterId(wrapped) === current.id) continue;
      const to = rewrapOrganizationKey(masterKeys.keys(), current, scope, wrapped);
      if (await organizationKeys.rewrap({ scope, from: wrapped, to })) rewrapped += 1;
    }
    if (page.length < PAGE) break;
  }
  await organizationKeys.setMasterKeyCheck({ id: current.id, onlyIfAbsent: false });
  return rewrapped;
}
