import { ENV_SCOPES, type UnlinkReason } from '@changgu/contract';
import { CANCELED } from '../../rules/endings/endings.ts';
import type { Actor } from '../../rules/principals/actor.ts';
import { endQueuedOfLanes } from '../queue/end-jobs.ts';
import { laneOf, lockLanesOfLink } from '../queue/lanes/lane-lock.ts';
import { requestCancel } from '../queue/request-cancel.ts';
import { COLUMNS } from '../schema/columns.ts';
import { recordAct } from '../transactions/audit.ts';
import { type Transaction, write } from '../transactions/script.ts';
import { wipedAccount } from './bank-accounts.ts';
import { type AccountLink, dropSessions, linkOf, lockLinks, requireLink } from './link-rows.ts';

/** Jobs canceled per lane and transaction. */
const BATCH = 150;

interface Unlink {
  readonly id: string;
  /** Null matches any organization (an admin without X-Organization-Id). */
  readonly organizationId: number | null;
  readonly reason: UnlinkReason;
  readonly actor: Actor;
}

export const unlinkScripts = {
  /**
   * Wipes the credentials of a link and its bank accounts and cancels the jobs waiting for it. The
   * lanes are locked first, so that a submission either sees the link gone or is canceled here.
   * `more` means that jobs are still waiting: call `cancelWaiting` until there are none.
   * @throws ServiceError ACCOUNT_LINK_NOT_FOUND
   */
  unlink: write(
    async (tx, input: Unlink): Promise<{ readonly link: AccountLink; readonly more: boolean }> => {
      await lockLanesOfLink(tx, input.id);
      const found = await requireLink(tx, input.id, input.organizationId);
      if (found.status === 'UNLINKED') {
        return { link: linkOf(found), more: await cancelWaiting(tx, input.id) };
      }
      const link = await wipeLink(tx, found.organization_id, input);
      if (input.reason === 'security_incident')
        await requestCancel(tx, { account_link_id: input.id });
      return { link, more: await cancelWaiting(tx, input.id) };
    },
  ),

  /** True while waiting jobs are left. */
  cancelWaiting: write(async (tx, linkId: string): Promise<boolean> => {
    await lockLanesOfLink(tx, linkId);
    return cancelWaiting(tx, linkId);
  }),
};

/** Keeps the row, so that the unlink can be read and repeated, but none of the person's data. */
export async function wipeLink(
  tx: Transaction,
  organizationId: number,
  { id, reason, actor }: Omit<Unlink, 'organizationId'>,
): Promise<AccountLink> {
  await lockLinks(tx, organizationId);
  const row = await tx.db
    .updateTable('account_links')
    .set({
      status: 'UNLINKED',
      suspended_code: null,
      unlinked_at: tx.clock,
      unlink_reason: reason,
      is_primary: 0,
      identity: null,
      credential: null,
      display_label: null,
      cert_name: null,
      cert_subject_cn: null,
      cert_issuer: null,
      cert_serial: null,
      cert_not_after: null,
      cert_oid: null,
      owner_kind: null,
      biz_number: null,
      business_name: null,
      selected_assets: null,
    })
    .where('id', '=', id)
    .returning(COLUMNS.account_links)
    .executeTakeFirstOrThrow();
  await tx.db
    .updateTable('bank_accounts')
    .set(wipedAccount(tx))
    .where('account_link_id', '=', id)
    .where('status', '<>', 'UNLINKED')
    .execute();
  await dropSessions(tx, id);
  await recordAct(tx, actor, {
    organizationId,
    act: 'account_link.unlink',
    target: id,
    details: { provider: row.provider, reason },
  });
  return linkOf(row);
}

async function cancelWaiting(tx: Transaction, linkId: string): Promise<boolean> {
  const lanes = ENV_SCOPES.map((envScope) => laneOf(linkId, envScope));
  return endQueuedOfLanes(tx, lanes, CANCELED, BATCH);
}
