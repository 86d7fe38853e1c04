import { type Kysely, sql } from 'kysely';

/** The last act of each type is all that counts, and an organization may have any number of earlier ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index consents_latest on consents (organization_id, consent_type, id)`.execute(
    db,
  );
  await sql`drop index consents_organization`.execute(db);
}
