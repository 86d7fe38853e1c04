import {
  assertMayMint,
  assertRedeemable,
  HANDOFF_SECONDS,
} from '../../rules/organizations/integrator.ts';
import { hasRealTest } from '../../rules/organizations/policy.ts';
import type { Actor, Origin } from '../../rules/principals/actor.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { insertAppCredential } from '../client-keys/app-credentials.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { recordAct } from '../transactions/audit.ts';
import { write } from '../transactions/script.ts';
import { assertStands } from '../transactions/standing.ts';
import { lockApplication, lockHandoffTokens } from './lock-application.ts';

/** The tokens by which an approved integrator gets its key, once. */
export const handoffTokenScripts = {
  /** @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE */
  mint: write(
    async (
      tx,
      input: {
        readonly id: number;
        readonly organizationId: number;
        readonly tokenHash: string;
        readonly actor: Actor;
      },
    ): Promise<{ readonly expiresAt: number }> => {
      const application = await lockApplication(tx, input.id);
      if (application.organization_id !== input.organizationId) {
        throw new ServiceError('RESOURCE_NOT_FOUND');
      }
      await lockHandoffTokens(tx, input.organizationId);
      await assertStands(tx, input.actor);
      const minted = await tx.db
        .selectFrom('handoff_tokens')
        .select('token_hash')
        .where('application_id', '=', input.id)
        .limit(1)
        .executeTakeFirst();
      assertMayMint(application.status, minted !== undefined);
      const now = await tx.now();
      const expiresAt = now + HANDOFF_SECONDS * 1000;
      await tx.db
        .insertInto('handoff_tokens')
        .values({
          token_hash: input.tokenHash,
          application_id: input.id,
          created_at: now,
          expires_at: expiresAt,
        })
        .execute();
      await recordAct(tx, input.actor, {
        organizationId: input.organizationId,
        act: 'integrator.mint',
        target: String(input.id),
      });
      return { expiresAt };
    },
  ),

  /**
   * Consumes the token and creates the key, or does neither.
   * @throws ServiceError HANDOFF_TOKEN_INVALID, POLICY_LIMIT_REACHED
   */
  exchange: write(
    async (
      tx,
      input: {
        readonly tokenHash: string;
        readonly clientId: string;
        readonly secretHash: string;
        readonly origin: Origin;
      },
    ): Promise<void> => {
      await tx.dialect.lock(tx, `handoff:${input.tokenHash}`);
      const token = await tx.db
        .selectFrom('handoff_tokens')
        .innerJoin(
          'integrator_applications',
          'integrator_applications.id',
          'handoff_tokens.application_id',
        )
        .innerJoin('organizations', 'organizations.id', 'integrator_applications.organization_id')
        .select([
          'application_id as applicationId',
          'organization_id as organizationId',
          'company_name as companyName',
          'expires_at as expiresAt',
          'used_at as usedAt',
        ])
        .where('token_hash', '=', input.tokenHash)
        .where('organizations.deleted_at', 'is', null)
        .executeTakeFirst();
      const now = await tx.now();
      assertRedeemable(token, now);
      const organization = await requireOrganization(tx, token.organizationId);
      await tx.db
        .updateTable('handoff_tokens')
        .set({ used_at: now, client_id: input.clientId })
        .where('token_hash', '=', input.tokenHash)
        .execute();
      const actor: Actor = { ...input.origin, kind: 'system', id: 'handoff' };
      await insertAppCredential(
        tx,
        {
          clientId: input.clientId,
          secretHash: input.secretHash,
          organizationId: token.organizationId,
          label: Array.from(token.companyName).slice(0, 100).join(''),
          envScopes: hasRealTest(organization, now) ? ['sandbox', 'real_test'] : ['sandbox'],
          integrationProfile: 'desktop_agent',
          readOnly: false,
          allowedActions: null,
          allowIrreversibleTools: false,
        },
        actor,
      );
    },
  ),
};
