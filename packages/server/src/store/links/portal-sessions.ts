import { read, type Transaction, write } from '../transactions/script.ts';

interface Key {
  readonly organizationId: number;
  readonly accountLinkId: string;
  readonly envScope: 'real_test' | 'production';
}

/** Login sessions per link and environment. */
export const portalSessionScripts = {
  read: read(
    async (
      tx,
      key: Key,
    ): Promise<{ readonly state: Uint8Array; readonly lastUsedAt: number } | null> => {
      const row = await tx.db
        .selectFrom('portal_sessions')
        .select(['state', 'last_used_at as lastUsedAt'])
        .where('account_link_id', '=', key.accountLinkId)
        .where('env_scope', '=', key.envScope)
        .where('organization_id', '=', key.organizationId)
        .executeTakeFirst();
      return row ?? null;
    },
  ),

  /** Stores nothing for an unlinked link, which must stay wiped. */
  write: write(async (tx, session: Key & { readonly state: Uint8Array }): Promise<void> => {
    if (!(await isLinked(tx, session))) return;
    const used = { state: session.state, last_used_at: await tx.now() };
    await tx.db
      .insertInto('portal_sessions')
      .values({
        account_link_id: session.accountLinkId,
        env_scope: session.envScope,
        organization_id: session.organizationId,
        ...used,
      })
      .onConflict((conflict) =>
        conflict.columns(['account_link_id', 'env_scope']).doUpdateSet(used),
      )
      .execute();
  }),

  remove: write(async (tx, key: Key): Promise<void> => {
    await tx.db
      .deleteFrom('portal_sessions')
      .where('account_link_id', '=', key.accountLinkId)
      .where('env_scope', '=', key.envScope)
      .where('organization_id', '=', key.organizationId)
      .execute();
  }),
};

/** Waits for an unlink in progress. */
async function isLinked(tx: Transaction, { organizationId, accountLinkId }: Key): Promise<boolean> {
  const link = await tx.db
    .selectFrom('account_links')
    .select('status')
    .where('id', '=', accountLinkId)
    .where('organization_id', '=', organizationId)
    .modifyEnd(tx.dialect.forShare)
    .executeTakeFirst();
  return link !== undefined && link.status !== 'UNLINKED';
}
