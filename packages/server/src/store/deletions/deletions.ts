import { sql } from 'kysely';
import { encryptionRingsOf } from '../../crypto/ring-name.ts';
import {
  DELETION_DELAY_MS,
  deletesOrganization,
  withdrawalChanges,
} from '../../rules/organizations/deletion.ts';
import type { Actor } from '../../rules/principals/actor.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { wipeLink } from '../links/unlink.ts';
import { IS_UNFINISHED } from '../queue/job-predicates.ts';
import { lockLanesOfLink } from '../queue/lanes/lane-lock.ts';
import { requestCancel } from '../queue/request-cancel.ts';
import { COLUMNS } from '../schema/columns.ts';
import { recordAct } from '../transactions/audit.ts';
import { BATCH_ROWS } from '../transactions/batch.ts';
import { read, type Transaction, write } from '../transactions/script.ts';
import { assertStands } from '../transactions/standing.ts';
import { closeAccount, closeRemainingAccounts } from './close-account.ts';
import { closeOrganization } from './close-organization.ts';
import {
  cancelDeletion,
  type DeletionRow,
  deleteNextWebhook,
  findDeletion,
  lockDeletion,
} from './deletion-rows.ts';

/** Earlier than any time from which retention could count. */
const AT_ONCE = 0;

const SYSTEM: Actor = { kind: 'system', id: 'deletion', traceId: null };

export interface Deletion {
  readonly id: string;
  readonly status: 'PENDING' | 'CANCELED' | 'EXECUTED';
  readonly requestedAt: number;
  readonly scheduledAt: number;
  readonly canceledAt: number | null;
}

/** Deletion requests, and their execution in repeatable steps. */
export const deletionScripts = {
  /** @throws ServiceError DELETION_REQUEST_EXISTS */
  request: write(
    async (
      tx,
      input: {
        readonly id: string;
        readonly userId: number;
        readonly organizationId: number;
        readonly reasonText: string | null;
        readonly actor: Actor;
      },
    ): Promise<Deletion> => {
      // A role that changes meanwhile either sees this request or comes first.
      await tx.dialect.lock(tx, 'members');
      await assertStands(tx, input.actor);
      const now = await tx.now();
      const row = await tx.db
        .insertInto('deletion_requests')
        .values({
          id: input.id,
          user_id: input.userId,
          status: 'PENDING',
          reason_text: input.reasonText,
          requested_at: now,
          scheduled_at: now + DELETION_DELAY_MS,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning(COLUMNS.deletion_requests)
        .executeTakeFirst();
      if (row === undefined) throw new ServiceError('DELETION_REQUEST_EXISTS');
      await recordAct(tx, input.actor, {
        organizationId: input.organizationId,
        act: 'deletion.request',
        target: row.id,
      });
      return deletionOf(row);
    },
  ),

  /** Of one user: at most one. */
  open: read(async (tx, userId: number): Promise<Deletion[]> => {
    const rows = await tx.db
      .selectFrom('deletion_requests')
      .select(COLUMNS.deletion_requests)
      .where('user_id', '=', userId)
      .where('status', '=', 'PENDING')
      .execute();
    return rows.map(deletionOf);
  }),

  /** @throws ServiceError RESOURCE_NOT_FOUND; CONFLICT_STATE also when its execution has begun */
  withdraw: write(
    async (
      tx,
      input: {
        readonly id: string;
        readonly userId: number;
        readonly organizationId: number;
        readonly reason: string | null;
        readonly actor: Actor;
      },
    ): Promise<Deletion> => {
      await lockDeletion(tx, input.id);
      const found = await findDeletion(tx, input.id);
      if (found?.user_id !== input.userId) throw new ServiceError('RESOURCE_NOT_FOUND');
      if (!withdrawalChanges(found.status)) return deletionOf(found);
      // Part of it cannot be undone, and the rest would never be executed.
      if (await hasBegun(tx, input.userId)) throw new ServiceError('CONFLICT_STATE');
      return deletionOf(await cancelDeletion(tx, input));
    },
  ),

  /** Requests that are due, including those whose execution has begun. */
  due: read(async (tx): Promise<string[]> => {
    const rows = await tx.db
      .selectFrom('deletion_requests')
      .select('id')
      .where('status', '=', 'PENDING')
      .where('scheduled_at', '<=', await tx.now())
      .orderBy('scheduled_at')
      .limit(BATCH_ROWS)
      .execute();
    return rows.map(({ id }) => id);
  }),

  /**
   * Closes the account: no credential works any longer. With the last owner the organization is closed,
   * its keys are revoked and the accounts of its other members closed. Returns the organization that
   * remains to be emptied, or null.
   */
  begin: write(async (tx, id: string): Promise<{ readonly organizationId: number | null }> => {
    await tx.dialect.lock(tx, 'members');
    await lockDeletion(tx, id);
    const request = await findDeletion(tx, id);
    if (request?.status !== 'PENDING') return { organizationId: null };
    const membership = await tx.db
      .selectFrom('members')
      .select('organization_id')
      .where('user_id', '=', request.user_id)
      .executeTakeFirstOrThrow();
    const organizationId = membership.organization_id;
    const members = await membersInForce(tx, organizationId);
    const closes = deletesOrganization(request.user_id, members);
    const begins = await closeAccount(tx, request.user_id);
    if (begins) await recordAct(tx, SYSTEM, { organizationId, act: 'deletion.begin', target: id });
    if (!closes) {
      await markExecuted(tx, request, organizationId);
      return { organizationId: null };
    }
    await closeOrganization(tx, organizationId);
    await closeRemainingAccounts(tx, { organizationId, members, actor: SYSTEM });
    return { organizationId };
  }),

  /** Wipes one link of a closed organization. True while there may be more. */
  wipeNextLink: write(async (tx, organizationId: number): Promise<boolean> => {
    const link = await tx.db
      .selectFrom('account_links')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('status', '<>', 'UNLINKED')
      .executeTakeFirst();
    if (link === undefined) return false;
    await lockLanesOfLink(tx, link.id);
    await wipeLink(tx, organizationId, { id: link.id, reason: 'user_request', actor: SYSTEM });
    return true;
  }),

  /** Deletes one endpoint of a closed organization. Its log is left for `removeLog`. */
  removeNextWebhook: write(deleteNextWebhook),

  /**
   * Asks running jobs to stop, unless they have passed the point of no return, and makes ended ones due for purging:
   * some at once. `running` when all that is left has yet to end.
   */
  releaseJobs: write(async (tx, organizationId: number): Promise<'more' | 'running' | 'done'> => {
    await requestCancel(tx, { organization_id: organizationId });
    const released = await tx.db
      .updateTable('jobs')
      .set({ purge_at: AT_ONCE })
      .where('seq', 'in', (eb) =>
        eb
          .selectFrom('jobs')
          .select('seq')
          .where('organization_id', '=', organizationId)
          .where('purge_at', '>', AT_ONCE)
          .limit(BATCH_ROWS),
      )
      .executeTakeFirst();
    if (released.numUpdatedRows >= BATCH_ROWS) return 'more';
    const unfinished = await tx.db
      .selectFrom('jobs')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where(IS_UNFINISHED)
      .executeTakeFirst();
    return unfinished === undefined ? 'done' : 'running';
  }),

  /** Deletes the data key, without which nothing that is left can be decrypted, and marks the request as done. */
  finish: write(
    async (tx, input: { readonly id: string; readonly organizationId: number }): Promise<void> => {
      await lockDeletion(tx, input.id);
      const request = await findDeletion(tx, input.id);
      if (request?.status !== 'PENDING') return;
      await deleteKeys(tx, input.organizationId);
      await markExecuted(tx, request, input.organizationId);
    },
  ),

  /** Organizations closed without a deletion, because their only member left, that hold data keys. */
  closed: read(async (tx): Promise<number[]> => {
    const rows = await tx.db
      .selectFrom('organizations')
      .innerJoin('organization_keys', (join) =>
        join.on(sql<boolean>`organization_keys.scope = cast(organizations.id as text)`),
      )
      .select('organizations.id')
      .where('organizations.deleted_at', 'is not', null)
      .orderBy('organizations.id')
      .limit(BATCH_ROWS)
      .execute();
    return rows.map(({ id }) => id);
  }),

  /** As `finish`, without a request. */
  discardKeys: write(
    async (tx, organizationId: number): Promise<void> => deleteKeys(tx, organizationId),
  ),
};

async function deleteKeys(tx: Transaction, organizationId: number): Promise<void> {
  await tx.db
    .deleteFrom('bound_ciphertexts')
    .where('organization_id', '=', organizationId)
    .execute();
  await tx.db
    .deleteFrom('ring_keys')
    .where('ring', 'in', encryptionRingsOf(organizationId))
    .execute();
  await tx.db.deleteFrom('organization_keys').where('scope', '=', String(organizationId)).execute();
}

/** The account is closed first (`begin`). */
async function hasBegun(tx: Transaction, userId: number): Promise<boolean> {
  const gone = await tx.db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst();
  return gone !== undefined;
}

async function membersInForce(tx: Transaction, organizationId: number) {
  return tx.db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['members.user_id as userId', 'members.role'])
    .where('members.organization_id', '=', organizationId)
    .where('users.deleted_at', 'is', null)
    .execute();
}

async function markExecuted(
  tx: Transaction,
  { id }: DeletionRow,
  organizationId: number,
): Promise<void> {
  await tx.db
    .updateTable('deletion_requests')
    .set({ status: 'EXECUTED', executed_at: tx.clock, reason_text: null })
    .where('id', '=', id)
    .execute();
  await recordAct(tx, SYSTEM, { organizationId, act: 'deletion.execute', target: id });
}

function deletionOf(row: DeletionRow): Deletion {
  return {
    id: row.id,
    status: row.status,
    requestedAt: row.requested_at,
    scheduledAt: row.scheduled_at,
    canceledAt: row.canceled_at,
  };
}
