import type { SelectedAssetsRequest, SelectedAssetsResponse } from '@changgu/contract/schemas';
import { assetViolations } from '../rules/links/selected-assets.ts';
import { actorOf } from '../rules/principals/actor.ts';
import { invalidValue } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import { type InstitutionFacts, institutionOf, type Linker } from './linker.ts';

/** Every list of links carries it. */
const MAX_BYTES = 65_536;

/**
 * Replaces the whole selection of a link; null clears it.
 * @throws ServiceError ACCOUNT_LINK_NOT_FOUND, 400 for an unknown key, a value of another type, or too much
 */
export async function selectAssets(
  {
    store,
    institutions,
  }: {
    readonly store: Pick<Store, 'accountLinks'>;
    readonly institutions: readonly InstitutionFacts[];
  },
  { principal, origin }: Linker,
  id: string,
  { selected_assets: assets }: SelectedAssetsRequest,
): Promise<SelectedAssetsResponse> {
  const { organizationId } = principal;
  const { provider } = await store.accountLinks.find({ id, organizationId });
  const violations = assetViolations(institutionOf(institutions, provider).actions, assets ?? {});
  if (violations.length > 0) throw invalidValue(violations);
  if (Buffer.byteLength(JSON.stringify(assets)) > MAX_BYTES) {
    const msg = `Input should have at most ${MAX_BYTES} bytes as JSON`;
    throw invalidValue([{ loc: ['body', 'selected_assets'], msg, type: 'value_error' }]);
  }
  const actor = actorOf(principal, origin);
  await store.accountLinks.selectAssets({ id, organizationId, assets, actor });
  return { account_link_id: id, selected_assets: assets };
}
