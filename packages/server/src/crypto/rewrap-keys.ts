import type { Store } from '../store/database.ts';
import type { MasterKeySource } from './master-key.ts';
import { rewrapOrganizationKey, wrappingMasterId } from './organization-key.ts';

const PAGE = 200;

/**
 * Wraps every data key by the master key in use and writes which one that is. What is sealed with the
 * data keys stays as it is. Can be repeated; answers how many keys changed their wrapping.
 */
export async function rewrapKeys(
  { organizationKeys }: Pick<Store, 'organizationKeys'>,
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
