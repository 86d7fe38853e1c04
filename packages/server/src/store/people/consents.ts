import type { ConsentType } from '@changgu/contract/schemas';
import {
  CONSENT_TYPES,
  type ConsentAct,
  consentBlocksJobs,
} from '../../rules/organizations/consent-block.ts';
import type { Actor } from '../../rules/principals/actor.ts';
import { recordAct } from '../transactions/audit.ts';
import { type Transaction, write } from '../transactions/script.ts';

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
      const acts = await latestActs(tx, input.organizationId);
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

/** The last act of each type. Earlier ones are kept without end, so none of them is read. */
async function latestActs(tx: Transaction, organizationId: number): Promise<ConsentAct[]> {
  const acts: ConsentAct[] = [];
  for (const consentType of CONSENT_TYPES) {
    const latest = await tx.db
      .selectFrom('consents')
      .select(['consent_type as consentType', 'action'])
      .where('organization_id', '=', organizationId)
      .where('consent_type', '=', consentType)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (latest !== undefined) acts.push(latest);
  }
  return acts;
}
