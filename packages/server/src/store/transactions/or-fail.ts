import { type RawBuilder, sql } from 'kysely';

/**
 * A condition for PostgreSQL that fails its statement where it does not hold, so that a COMMIT may be sent behind it.
 * The text, which is no number, is what the server's log says then.
 */
export function orFail(condition: RawBuilder<boolean>, otherwise: string): RawBuilder<boolean> {
  return sql`cast(case when ${condition} then '1' else ${sql.lit(otherwise)} end as integer) = 1`;
}
