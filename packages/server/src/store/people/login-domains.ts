import type { AuditAct } from '@changgu/contract';
import type { Actor } from '../../rules/principals/actor.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, type Transaction, write } from '../transactions/script.ts';

/** An identity provider may vouch for the addresses of a domain in one organization. */
export interface LoginDomain {
  readonly organizationId: number;
  readonly provider: string;
  /** Lower case. */
  readonly domain: string;
}

type Change = LoginDomain & { readonly actor: Actor };

/** Which addresses an identity provider may vouch for, by organization. */
export const loginDomainScripts = {
  /** @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_DUPLICATE */
  allow: write(async (tx, input: Change): Promise<void> => {
    const { organizationId, provider, domain } = input;
    await requireOrganization(tx, organizationId);
    const { numInsertedOrUpdatedRows } = await tx.db
      .insertInto('login_domains')
      .values({
        organization_id: organizationId,
        provider,
        domain,
        created_at: await tx.realNow(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) throw new ServiceError('CONFLICT_DUPLICATE');
    await record(tx, 'login_domain.allow', input);
  }),

  /**
   * Logins of the domain no longer go there, and sessions that they opened end.
   * @throws ServiceError RESOURCE_NOT_FOUND
   */
  disallow: write(async (tx, input: Change): Promise<void> => {
    const { organizationId, provider, domain } = input;
    const { numDeletedRows } = await tx.db
      .deleteFrom('login_domains')
      .where('organization_id', '=', organizationId)
      .where('provider', '=', provider)
      .where('domain', '=', domain)
      .executeTakeFirst();
    if (numDeletedRows === 0n)
      throw new ServiceError('RESOURCE_NOT_FOUND', {
        missing: `domain ${domain} allowed in organization ${organizationId} at ${provider}`,
      });
    await tx.db
      .deleteFrom('console_sessions')
      .where('vouched_until', 'is not', null)
      .where('user_id', 'in', (eb) =>
        eb
          .selectFrom('members')
          .innerJoin('identities', 'identities.user_id', 'members.user_id')
          .select('members.user_id')
          .where('members.organization_id', '=', organizationId)
          .where('identities.provider', '=', provider),
      )
      .execute();
    await record(tx, 'login_domain.disallow', input);
  }),

  list: read(async (tx): Promise<LoginDomain[]> => {
    const rows = await tx.db
      .selectFrom('login_domains')
      .select(['organization_id', 'provider', 'domain'])
      .orderBy('organization_id')
      .orderBy('provider')
      .orderBy('domain')
      .execute();
    return rows.map((row) => ({
      organizationId: row.organization_id,
      provider: row.provider,
      domain: row.domain,
    }));
  }),
};

export async function mayVouch(
  tx: Transaction,
  { organizationId, provider, domain }: LoginDomain,
): Promise<boolean> {
  const row = await tx.db
    .selectFrom('login_domains')
    .select('domain')
    .where('organization_id', '=', organizationId)
    .where('provider', '=', provider)
    .where('domain', '=', domain)
    .executeTakeFirst();
  return row !== undefined;
}

function record(
  tx: Transaction,
  act: AuditAct,
  { organizationId, provider, domain, actor }: Change,
) {
  return recordAct(tx, actor, { organizationId, act, target: domain, details: { provider } });
}
