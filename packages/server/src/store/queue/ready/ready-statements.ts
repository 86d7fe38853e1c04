import { ENV_SCOPES, type EnvScope } from '@changgu/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Candidate } from '../../../rules/claiming/fair-share.ts';
import type { Pool } from '../../../rules/claiming/pool.ts';
import { compiled, type SlotOf } from '../../transactions/compiled.ts';
import type { Transaction } from '../../transactions/script.ts';
import { IN_POOL, IS_ANY_BREAKER_OPEN, IS_READY, mayStart, NAMED } from '../job-predicates.ts';

export const REAL_SCOPES = ENV_SCOPES.filter((envScope) => envScope !== 'sandbox');

/** A ready job, and the time at which it was read. */
export interface Ready extends Candidate {
  readonly now: number;
  /** Where each institution's oldest jobs were read by themselves: which one's; null for a trial job. */
  readonly institution?: string | null;
}

/** Evaluated once per statement; as a condition SQLite would evaluate it for every row. */
function unlessBreakersAreOpen(limit: number) {
  return sql<number>`case when ${IS_ANY_BREAKER_OPEN}
    then 0 else cast(${limit} as integer) end`;
}

type ReadyVariant = Pool | 'institution' | 'organization' | 'sandbox organization';

interface ReadySlots {
  readonly limit: number;
  readonly from: number;
  readonly provider: string;
  readonly envScope: EnvScope;
  readonly organizationId: number;
}

export const selectReady = compiled((tx, slot: SlotOf<ReadySlots>, variant: ReadyVariant) => {
  const isOfOrganization = variant === 'organization' || variant === 'sandbox organization';
  return (
    readyJobs(tx, slot, variant)
      .select(['seq', 'organization_id as organizationId', tx.clock.as('now')])
      // A range, so that the order names the column too: only the intended index provides that order.
      .$if(variant === 'institution', (query) =>
        query
          .where('provider', '=', slot('provider'))
          .where(inRange('env_scope', slot('envScope')))
          .orderBy('env_scope'),
      )
      .$if(variant === 'organization', (query) =>
        query.where('provider', '=', slot('provider')).where('env_scope', '=', slot('envScope')),
      )
      .$if(isOfOrganization, (query) =>
        query.where(inRange('organization_id', slot('organizationId'))).orderBy('organization_id'),
      )
      .orderBy('seq')
  );
});

/** Jobs that may start; none of the whole pool while a breaker is open. */
export function readyJobs(
  tx: Transaction,
  slot: SlotOf<Pick<ReadySlots, 'limit' | 'from'>>,
  variant: ReadyVariant,
) {
  return tx.db
    .selectFrom('jobs')
    .where(IS_READY)
    .where(IN_POOL[variant.startsWith('sandbox') ? 'sandbox' : 'real'])
    .where('seq', '>=', slot('from'))
    .where(mayStart(tx))
    .limit(variant === 'real' ? unlessBreakersAreOpen(slot('limit')) : slot('limit'))
    .modifyEnd(tx.dialect.skipLocked);
}

function inRange(column: 'env_scope' | 'organization_id', value: string | number) {
  return sql<boolean>`${sql.ref(column)} >= ${value} and ${sql.ref(column)} <= ${value}`;
}

/**
 * The oldest ready jobs of each institution whose breaker is not open, and the trial jobs of the others: one
 * statement, because a claim waits for its answer. Which institutions is settled first (`materialized`), or
 * PostgreSQL might lock heads that are held back and throw them away afterwards.
 */
export const selectAdmitted = compiled((tx, slot: SlotOf<{ limit: number; from: number }>) => {
  const scopes = REAL_SCOPES.map((envScope) => sql`select ${sql.lit(envScope)} as env_scope`);
  const oldest = sql`${IS_READY} and ${IN_POOL.real} and seq >= ${slot('from')} and ${mayStart(tx)}
    and provider = admitted.provider
    and env_scope >= admitted.env_scope and env_scope <= admitted.env_scope
    order by env_scope, seq limit ${slot('limit')}`;
  const trial = sql`id = trials.trial_job_id and ${NAMED.isReady} and ${mayStart(tx)}`;
  const columns = sql`heads.seq, heads.organization_id as "organizationId", ${tx.clock} as now`;
  const statement = sql<Ready>`
    with recursive ${providersWaiting(tx, slot('from'))}, admitted as materialized (
      select provider, env_scope from providers cross join (${sql.join(scopes, sql` union all `)}) as scopes
      where provider is not null and not exists (select 1 from breakers where open_until is not null
        and breakers.provider = providers.provider and breakers.env_scope = scopes.env_scope)
    ), trials as (select trial_job_id from breakers where open_until is not null)
    select ${columns}, admitted.provider || ' ' || admitted.env_scope as institution
    from admitted ${crossJoinHeads(tx, oldest)}
    union all
    select ${columns}, null as institution from trials ${crossJoinHeads(tx, trial)}`;
  return { compile: () => statement.compile(tx.db) };
});

/** For each row to the left, the jobs of a condition that names its columns, as `heads`. */
function crossJoinHeads({ dialect }: Transaction, condition: RawBuilder<unknown>) {
  return dialect.name === 'postgres'
    ? sql`cross join lateral (select seq, organization_id from jobs where ${condition} ${dialect.skipLocked}) as heads`
    : sql`cross join jobs as heads on heads.seq in (select seq from jobs where ${condition})`;
}

export const selectProviders = compiled((tx, slot: SlotOf<{ from: number }>) => {
  const statement = sql<{ provider: string }>`
    with recursive ${providersWaiting(tx, slot('from'))}
    select provider from providers where provider is not null`;
  return { compile: () => statement.compile(tx.db) };
});

function providersWaiting(tx: Transaction, from: number) {
  // SQLite keeps no dead rows to skip, and would step over each older job that a breaker holds back.
  const isRecent = tx.dialect.name === 'postgres' ? sql`and jobs.seq >= ${from}` : sql``;
  const ready = sql`${IS_READY} and ${IN_POOL.real} ${isRecent}`;
  return sql`providers (provider) as (
    select provider from (select provider from jobs where ${ready} order by provider limit 1) as head
    union all
    select (select jobs.provider from jobs where ${ready} and jobs.provider > providers.provider
      order by jobs.provider limit 1)
    from providers where providers.provider is not null
  )`;
}

/** Organizations between two ids, both excluded. */
export interface Gap {
  readonly above: number;
  readonly below: number;
}

interface OrganizationSlots extends Gap {
  readonly provider: string;
  readonly envScope: EnvScope;
  readonly from: number;
}

/** One index step per organization. */
export const selectOrganizations = compiled((tx, slot: SlotOf<OrganizationSlots>, pool: Pool) => {
  const institution = sql`${IN_POOL.real}
    and provider = ${slot('provider')} and env_scope = ${slot('envScope')}`;
  const ready = sql`${IS_READY} and ${pool === 'sandbox' ? IN_POOL.sandbox : institution}
    and jobs.seq >= ${slot('from')}`;
  const statement = sql<{ organizationId: number; seq: number }>`
    with recursive heads (organization_id) as (
      select organization_id from (select organization_id from jobs
        where ${ready} and organization_id > ${slot('above')} and organization_id < ${slot('below')}
        order by organization_id limit 1) as head
      union all
      select (select organization_id from jobs
        where ${ready} and jobs.organization_id > heads.organization_id
          and organization_id < ${slot('below')}
        order by organization_id limit 1)
      from heads where heads.organization_id is not null
    )
    select organization_id as "organizationId", (select seq from jobs
        where ${ready} and jobs.organization_id >= heads.organization_id
          and jobs.organization_id <= heads.organization_id
        order by organization_id, seq limit 1) as seq
    from heads where organization_id is not null`;
  return { compile: () => statement.compile(tx.db) };
});
