import { DAY_MS } from '../../rules/durations.ts';
import { kstTime } from '../../rules/kst.ts';
import { appendEvent } from '../transactions/append-event.ts';
import { type Transaction, write } from '../transactions/script.ts';

const ARTIFACT_NOTICE_MS = DAY_MS;
const LINK_NOTICE_MS = 30 * DAY_MS;
const NOTICES_AT_ONCE = 500;

/** Announces what expires soon, each thing once: a setting stores up to which time this was done. */
export const expiryScripts = {
  /** Files, by job, a day before they are deleted. True while there may be more. */
  noteExpiringArtifacts: write(async (tx): Promise<boolean> => {
    const told = await toldUntil(tx, 'artifact_expiry_told_until', ARTIFACT_NOTICE_MS);
    const due = tx.db
      .selectFrom('artifacts')
      .where((eb) => eb('bytes_removed', '=', eb.lit(0)))
      .where('expires_at', '>', told.until);
    const ends = await due
      .select('expires_at as end')
      .where('expires_at', '<=', told.horizon)
      .orderBy('expires_at')
      .limit(NOTICES_AT_ONCE)
      .execute();
    const { cut, more } = cutOf(ends, told.horizon);
    const jobs = await due
      .innerJoin('jobs', 'jobs.id', 'artifacts.job_id')
      .select(['jobs.id', 'jobs.organization_id', 'jobs.env_scope'])
      .select(({ fn }) => [
        fn.countAll<number>().as('artifacts'),
        fn.min('artifacts.expires_at').as('expires_at'),
      ])
      .where('expires_at', '<=', cut)
      .groupBy(['jobs.id', 'jobs.organization_id', 'jobs.env_scope'])
      .execute();
    await appendEvent(
      tx,
      ...jobs.map((job) => ({
        organizationId: job.organization_id,
        envScope: job.env_scope,
        type: 'artifact.expiring' as const,
        jobId: job.id,
        data: { artifacts: job.artifacts, expires_at: kstTime(job.expires_at) },
      })),
    );
    await told.set(cut);
    return more;
  }),

  /** Links, a month before their certificate expires. True while there may be more. */
  noteExpiringLinks: write(async (tx): Promise<boolean> => {
    const told = await toldUntil(tx, 'link_expiry_told_until', LINK_NOTICE_MS);
    const due = tx.db
      .selectFrom('account_links')
      .where('status', '<>', 'UNLINKED')
      .where('cert_not_after', '>', told.until);
    const ends = await due
      .select('cert_not_after as end')
      .where('cert_not_after', '<=', told.horizon)
      .orderBy('cert_not_after')
      .limit(NOTICES_AT_ONCE)
      .execute();
    const { cut, more } = cutOf(ends, told.horizon);
    const links = await due
      .select(['id', 'organization_id', 'provider', 'cert_not_after'])
      .where('cert_not_after', '<=', cut)
      .execute();
    await appendEvent(
      tx,
      ...links.map((link) => ({
        organizationId: link.organization_id,
        envScope: null,
        type: 'link.expiring' as const,
        accountLinkId: link.id,
        data: { provider: link.provider, expires_at: kstTime(link.cert_not_after ?? cut) },
      })),
    );
    await told.set(cut);
    return more;
  }),
};

/** Two processes never announce the same expiry: the second waits and then reads what the first has set. */
async function toldUntil(tx: Transaction, name: string, noticeMs: number) {
  await tx.dialect.lock(tx, name);
  const now = await tx.now();
  const row = await tx.db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return {
    until: row === undefined ? now : Number(row.value),
    horizon: now + noticeMs,
    async set(until: number): Promise<void> {
      const value = String(until);
      await tx.db
        .insertInto('settings')
        .values({ name, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute();
    },
  };
}

/** Everything that expires at the same time is announced together. */
function cutOf(ends: readonly { readonly end: number | null }[], horizon: number) {
  const last = ends.at(-1)?.end;
  const more = ends.length === NOTICES_AT_ONCE && typeof last === 'number';
  return { cut: more ? last : horizon, more };
}
