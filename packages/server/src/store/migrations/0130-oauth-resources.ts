import { type Kysely, sql } from 'kysely';

/** The address of a registered resource server, for which tokens can be requested. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table oauth_clients add column resource text`.execute(db);
  await sql`create unique index oauth_clients_resource
    on oauth_clients (resource) where resource is not null`.execute(db);
}
