import type { Actor } from '../../rules/principals/actor.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, type Transaction, write } from '../transactions/script.ts';
import { assertStands } from '../transactions/standing.ts';
import { endSessionsOf } from './console-sessions.ts';
import {
  deleteFactors,
  endOtherSessions,
  type Factor,
  factorOf,
  hasFactor,
  lockFactors,
  type OfUser,
  replaceCodes,
  resetFactors,
} from './own-factors.ts';

/** What a code is compared with. */
export interface TotpFacts {
  readonly id: string;
  /** Sealed. */
  readonly secret: Uint8Array;
}

export interface FactorOverview {
  readonly factors: readonly Factor[];
  readonly recoveryCodesLeft: number;
  readonly required: boolean;
}

/** Second factors, in real time. An unconfirmed one has no effect. */
export const factorScripts = {
  overview: read(async (tx, userId: number): Promise<FactorOverview> => {
    const rows = await tx.db
      .selectFrom('factors')
      .select(['id', 'kind', 'label', 'created_at', 'last_used_at'])
      .where('user_id', '=', userId)
      .where('confirmed_at', 'is not', null)
      .orderBy('created_at')
      .execute();
    const left = await tx.db
      .selectFrom('recovery_codes')
      .select('code_hash')
      .where('user_id', '=', userId)
      .where('used_at', 'is', null)
      .execute();
    const organization = await tx.db
      .selectFrom('organizations')
      .innerJoin('members', 'members.organization_id', 'organizations.id')
      .select('organizations.factor_required')
      .where('members.user_id', '=', userId)
      .executeTakeFirst();
    return {
      factors: rows.map(factorOf),
      recoveryCodesLeft: left.length,
      required: organization?.factor_required === 1,
    };
  }),

  /** Replaces one that was never confirmed. @throws ServiceError CONFLICT_DUPLICATE */
  begin: write(
    async (
      tx,
      input: { id: string; userId: number; label: string | null; secret: Uint8Array },
    ): Promise<void> => {
      const { id, userId, label, secret } = input;
      await lockFactors(tx, userId);
      if ((await findTotp(tx, userId)) !== null) throw new ServiceError('CONFLICT_DUPLICATE');
      await tx.db
        .deleteFrom('factors')
        .where('user_id', '=', userId)
        .where('confirmed_at', 'is', null)
        .execute();
      const created_at = await tx.realNow();
      await tx.db
        .insertInto('factors')
        .values({ id, user_id: userId, kind: 'totp', label, secret, created_at })
        .execute();
    },
  ),

  /** Null when no such factor is waiting for its first code. */
  unconfirmed: read(
    async (tx, input: { id: string; userId: number }): Promise<TotpFacts | null> => {
      const row = await tx.db
        .selectFrom('factors')
        .select(['id', 'secret'])
        .where('id', '=', input.id)
        .where('user_id', '=', input.userId)
        .where('confirmed_at', 'is', null)
        .executeTakeFirst();
      return row ?? null;
    },
  ),

  /** @throws ServiceError RESOURCE_NOT_FOUND */
  rename: write(
    async (tx, input: { id: string; userId: number; label: string }): Promise<Factor> => {
      const row = await tx.db
        .updateTable('factors')
        .set({ label: input.label })
        .where('id', '=', input.id)
        .where('user_id', '=', input.userId)
        .where('confirmed_at', 'is not', null)
        .returning(['id', 'kind', 'label', 'created_at', 'last_used_at'])
        .executeTakeFirst();
      if (row === undefined) throw new ServiceError('RESOURCE_NOT_FOUND');
      return factorOf(row);
    },
  ),

  /** Ends the other sessions: they were opened without it. @throws ServiceError RESOURCE_NOT_FOUND */
  confirm: write(
    async (
      tx,
      input: OfUser & {
        id: string;
        step: number;
        codeHashes: readonly string[];
        sessionId: string | null;
      },
    ): Promise<void> => {
      await lockFactors(tx, input.userId);
      await assertStands(tx, input.actor);
      const now = await tx.realNow();
      const confirmed = await tx.db
        .updateTable('factors')
        .set({ confirmed_at: now, last_used_at: now, last_step: input.step })
        .where('id', '=', input.id)
        .where('user_id', '=', input.userId)
        .where('confirmed_at', 'is', null)
        .executeTakeFirst();
      if (confirmed.numUpdatedRows === 0n) throw new ServiceError('RESOURCE_NOT_FOUND');
      await replaceCodes(tx, input.userId, input.codeHashes);
      await endOtherSessions(tx, input);
      await recordAct(tx, input.actor, {
        organizationId: input.organizationId,
        act: 'factor.add',
        target: input.id,
      });
    },
  ),

  /** What a login must prove; nothing when there is no factor. */
  proofs: read(
    async (
      tx,
      userId: number,
    ): Promise<{ readonly hasFactor: boolean; readonly totp: TotpFacts | null }> => ({
      hasFactor: await hasFactor(tx, userId),
      totp: await findTotp(tx, userId),
    }),
  ),

  /** False when a code of this step or a later one has been used, because no code works twice. */
  useStep: write(async (tx, input: { id: string; step: number }): Promise<boolean> => {
    const used = await tx.db
      .updateTable('factors')
      .set({ last_step: input.step, last_used_at: await tx.realNow() })
      .where('id', '=', input.id)
      .where((or) => or.or([or('last_step', 'is', null), or('last_step', '<', input.step)]))
      .executeTakeFirst();
    return used.numUpdatedRows > 0n;
  }),

  /** False when there is no such code, or it was used. */
  useRecoveryCode: write(
    async (tx, input: { userId: number; codeHash: string }): Promise<boolean> => {
      const used = await tx.db
        .updateTable('recovery_codes')
        .set({ used_at: await tx.realNow() })
        .where('user_id', '=', input.userId)
        .where('code_hash', '=', input.codeHash)
        .where('used_at', 'is', null)
        .executeTakeFirst();
      return used.numUpdatedRows > 0n;
    },
  ),

  /** @throws ServiceError CONFLICT_STATE without a factor */
  replaceRecoveryCodes: write(
    async (tx, input: OfUser & { codeHashes: readonly string[] }): Promise<void> => {
      await lockFactors(tx, input.userId);
      await assertStands(tx, input.actor);
      if (!(await hasFactor(tx, input.userId))) throw new ServiceError('CONFLICT_STATE');
      await replaceCodes(tx, input.userId, input.codeHashes);
      await recordAct(tx, input.actor, {
        organizationId: input.organizationId,
        act: 'factor.renew_codes',
        target: String(input.userId),
      });
    },
  ),

  /** Ends every session. The recovery codes go with the last one. @throws ServiceError RESOURCE_NOT_FOUND */
  remove: write(async (tx, input: OfUser & { id: string }): Promise<void> => {
    await lockFactors(tx, input.userId);
    await assertStands(tx, input.actor);
    const gone = await tx.db
      .deleteFrom('factors')
      .where('id', '=', input.id)
      .where('user_id', '=', input.userId)
      .where('confirmed_at', 'is not', null)
      .executeTakeFirst();
    if (gone.numDeletedRows === 0n) throw new ServiceError('RESOURCE_NOT_FOUND');
    if (!(await hasFactor(tx, input.userId))) await deleteFactors(tx, input.userId);
    await endSessionsOf(tx, input.userId);
    await recordAct(tx, input.actor, {
      organizationId: input.organizationId,
      act: 'factor.remove',
      target: input.id,
    });
  }),

  /** For a user who has lost both app and codes; called by an operator. Ends every session. */
  reset: write(async (tx, input: OfUser): Promise<void> => resetFactors(tx, input)),

  /** What an organization requires of all its members, from the next request on. */
  require: write(
    async (
      tx,
      input: { organizationId: number; required: boolean; actor: Actor },
    ): Promise<void> => {
      await tx.db
        .updateTable('organizations')
        .set({ factor_required: input.required ? 1 : 0 })
        .where('id', '=', input.organizationId)
        .execute();
      await recordAct(tx, input.actor, {
        organizationId: input.organizationId,
        act: 'organization.require_factor',
        details: { required: input.required },
      });
    },
  ),
};

async function findTotp(tx: Transaction, userId: number): Promise<TotpFacts | null> {
  const row = await tx.db
    .selectFrom('factors')
    .select(['id', 'secret'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'totp')
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  return row ?? null;
}
