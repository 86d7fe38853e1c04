import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../../packages/server/src/store/schema/tables.ts';

export interface BenchLink {
  readonly id: string;
  readonly provider: string;
}

/** Linked accounts of an organization, every fourth of the tax portal, without credentials. */
export async function linkRows(
  db: Kysely<Database>,
  organizationId: number,
  count: number,
): Promise<BenchLink[]> {
  const links = Array.from({ length: count }, (_, index) => ({
    id: randomUUID(),
    provider: index % 4 === 3 ? 'tax_portal' : 'bank_b',
  }));
  if (count === 0) return [];
  await db
    .insertInto('account_links')
    .values(
      links.map((link) => ({
        ...link,
        organization_id: organizationId,
        auth_type: 'id_password' as const,
        is_primary: 0,
        status: 'ACTIVE' as const,
        registered_at: Date.now(),
      })),
    )
    .execute();
  return links;
}
