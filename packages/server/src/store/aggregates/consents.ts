import type { ConsentType } from '@changgu/contract/schemas';
import { consentBlocksJobs } from '../../rules/organizations/consent-block.ts';
import type { Actor } from '../../rules/principals/actor.ts';
import { recordAct } from '../transactions/audit.ts';
import { write } from '../transactions/script.ts';

interface ConsentInput {
  readonly organizationId: number;
  readonly userId: number;
  readonly consentType: ConsentType;
  readonly action: 'GRANT' | 'REVOKE';
  readonly actor: Actor;
}

export const consentScripts = {
  /** Adds a record and updates whether the organization's jobs are blocked. */
  record: write(
    async (tx, input: ConsentInput): Promise<{ readonly id: number; readonly at: number }> => {
      await tx.dialect.lock(tx, `consents:${input.organizationId}`);
      const at = await tx.now();
      const { id } = await tx.db
        .insertInto('consents')
        .values({
          organization_id: input.organizationId,
          user_id: input.userId,
          consent_type: input.consentType,
          action: input.action,
          recorded_at: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const acts = await tx.db
        .selectFrom('consents')
        .select(['consent_type as consentType', 'action'])
        .where('organization_id', '=', input.organizationId)
        .orderBy('id')
        .execute();
      await tx.db
        .updateTable('organizations')
        .set({ consent_blocked: Number(consentBlocksJobs(acts)) })
        .where('id', '=', input.organizationId)
        .execute();
      await recordAct(tx, input.actor, {
        organizationId: input.organizationId,
        act: input.action === 'GRANT' ? 'consent.grant' : 'consent.revoke',
        target: input.consentType,
      });
      return { id, at };
    },
  ),
};
