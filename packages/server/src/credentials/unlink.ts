import type { UnlinkReason } from '@changgu/contract';
import type { UnlinkResponse } from '@changgu/contract/schemas';
import { kstTime } from '../rules/kst.ts';
import { acceptUnlinkReason } from '../rules/links/unlink-reason.ts';
import { actorOf, type RequestOrigin } from '../rules/principals/actor.ts';
import type { Principal } from '../rules/principals/principal.ts';
import type { Store } from '../store/database.ts';

/**
 * Wipes the credential of a link and cancels the jobs that wait for it; can be repeated.
 * @param organizationId null for an administrator who names none: any organization
 * @throws ServiceError ACCOUNT_LINK_NOT_FOUND, AUTH_FORBIDDEN_PRINCIPAL
 */
export async function unlinkCredential(
  { unlink }: Pick<Store, 'unlink'>,
  by: {
    readonly principal: Principal;
    readonly organizationId: number | null;
    readonly origin: RequestOrigin;
  },
  id: string,
  sentReason: UnlinkReason | null,
): Promise<UnlinkResponse> {
  const reason = acceptUnlinkReason(by.principal.kind, sentReason);
  const actor = actorOf(by.principal, by.origin);
  const { link, more } = await unlink.unlink({
    id,
    organizationId: by.organizationId,
    reason,
    actor,
  });
  let left = more;
  while (left) left = await unlink.cancelWaiting(id);
  if (link.unlinkedAt === null || link.unlinkReason === null) {
    throw new Error(`link ${id} was not unlinked`);
  }
  return {
    account_link_id: link.id,
    status: 'UNLINKED',
    unlink_reason: link.unlinkReason,
    unlinked_at: kstTime(link.unlinkedAt),
  };
}
