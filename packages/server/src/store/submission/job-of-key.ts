import { type RawBuilder, sql } from 'kysely';

/** The key of a submission, as expressions. */
interface KeyColumns {
  readonly organizationId: unknown;
  readonly envScope: unknown;
  readonly operation: unknown;
  readonly idempotencyKey: unknown;
  readonly idempotencyAccount: unknown;
}

/**
 * The `seq` of the job that a key created, for joining `jobs`. A range and an order, so that only the index of
 * keys can be used: before a table has statistics, PostgreSQL rates the organization's job list equally and
 * reads all of it for each submission.
 */
export function jobOfKey(key: KeyColumns): RawBuilder<number> {
  return sql<number>`(select keyed.seq from jobs as keyed
    where keyed.organization_id = ${key.organizationId} and keyed.env_scope = ${key.envScope}
      and keyed.operation = ${key.operation} and keyed.idempotency_key = ${key.idempotencyKey}
      and keyed.idempotency_account >= ${key.idempotencyAccount}
      and keyed.idempotency_account <= ${key.idempotencyAccount}
    order by keyed.idempotency_account limit 1)`;
}
