import type { Actor } from '../../rules/principals/actor.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { COLUMNS } from '../schema/columns.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, write } from '../transactions/script.ts';
import {
  type AccountLink,
  linkOf,
  requireLink,
  type StoredLink,
  storedLinkOf,
} from './link-rows.ts';
import { recordLink, saveLinks } from './save-links.ts';

interface OfIdentities {
  readonly organizationId: number;
  readonly providers: readonly string[];
  readonly identities: readonly string[];
}

export const accountLinkScripts = {
  /** Active links, newest first. */
  list: read(
    async (
      tx,
      filter: { readonly organizationId: number; readonly provider: string | null },
    ): Promise<AccountLink[]> => {
      let query = tx.db
        .selectFrom('account_links')
        .select(COLUMNS.account_links)
        .where('organization_id', '=', filter.organizationId)
        .where('status', '<>', 'UNLINKED')
        .orderBy('seq', 'desc');
      if (filter.provider !== null) query = query.where('provider', '=', filter.provider);
      return (await query.execute()).map(linkOf);
    },
  ),

  /** Unlinked ones too. @throws ServiceError ACCOUNT_LINK_NOT_FOUND */
  find: read(
    async (
      tx,
      by: { readonly id: string; readonly organizationId: number | null },
    ): Promise<AccountLink> => linkOf(await requireLink(tx, by.id, by.organizationId)),
  ),

  /** The identity of an active link. @throws ServiceError ACCOUNT_LINK_NOT_FOUND */
  identityOf: read(
    async (tx, by: { readonly id: string; readonly organizationId: number }): Promise<string> => {
      const { identity } = await requireLink(tx, by.id, by.organizationId);
      if (identity === null) throw new ServiceError('ACCOUNT_LINK_NOT_FOUND');
      return identity;
    },
  ),

  /** Active links with one of these identities. */
  matching: read(async (tx, by: OfIdentities): Promise<StoredLink[]> => {
    const rows = await tx.db
      .selectFrom('account_links')
      .select(COLUMNS.account_links)
      .where('organization_id', '=', by.organizationId)
      .where('provider', 'in', [...by.providers])
      .where('identity', 'in', [...by.identities])
      .where('status', '<>', 'UNLINKED')
      .execute();
    return rows.flatMap(storedLinkOf);
  }),

  save: write(saveLinks),

  /**
   * Replaces tokens with renewed ones. False when the stored tokens are different by now: the
   * link was removed, or another run was faster.
   */
  renew: write(
    async (
      tx,
      input: {
        readonly id: string;
        readonly organizationId: number;
        /** Sealed, like those that replace it. */
        readonly from: Uint8Array;
        readonly to: Uint8Array;
        readonly actor: Actor;
      },
    ): Promise<boolean> => {
      const row = await tx.db
        .updateTable('account_links')
        .set({ credential: input.to })
        .where('id', '=', input.id)
        .where('organization_id', '=', input.organizationId)
        .where('credential', '=', input.from)
        .returning(COLUMNS.account_links)
        .executeTakeFirst();
      if (row === undefined) return false;
      await recordLink(tx, input.actor, row, 'account_link.renew');
      return true;
    },
  ),

  /**
   * Gives links created before purposes existed the default of new ones: real if the
   * server has a production address.
   */
  assignPurposes: write(
    async (tx, input: { readonly productionProviders: readonly string[] }): Promise<void> => {
      const unassigned = tx.db.updateTable('account_links').where('purpose', 'is', null);
      if (input.productionProviders.length > 0) {
        await unassigned
          .set({ purpose: 'real' })
          .where('provider', 'in', [...input.productionProviders])
          .execute();
      }
      await unassigned.set({ purpose: 'test' }).execute();
    },
  ),

  /** Replaces the whole selection. @throws ServiceError ACCOUNT_LINK_NOT_FOUND */
  selectAssets: write(
    async (
      tx,
      input: {
        readonly id: string;
        readonly organizationId: number;
        readonly assets: Readonly<Record<string, unknown>> | null;
        readonly actor: Actor;
      },
    ): Promise<void> => {
      const changed = await tx.db
        .updateTable('account_links')
        .set({ selected_assets: input.assets && JSON.stringify(input.assets) })
        .where('id', '=', input.id)
        .where('organization_id', '=', input.organizationId)
        .where('status', '<>', 'UNLINKED')
        .executeTakeFirst();
      if (changed.numUpdatedRows === 0n) throw new ServiceError('ACCOUNT_LINK_NOT_FOUND');
      await recordAct(tx, input.actor, {
        organizationId: input.organizationId,
        act: 'account_link.select_assets',
        target: input.id,
      });
    },
  ),
};
