import { BATCH_ROWS } from '../transactions/batch.ts';
import { type Transaction, write } from '../transactions/script.ts';

/**
 * The invitations that still let someone in. One stands only as long as its inviter may give it:
 * who was removed or holds a lower role must not come back by a link made before.
 */
export async function selectOpenInvitations(tx: Transaction) {
  return tx.db
    .selectFrom('invitations')
    .innerJoin('organizations', 'organizations.id', 'invitations.organization_id')
    .innerJoin('users as inviter', 'inviter.id', 'invitations.invited_by')
    .innerJoin('members as seat', (join) =>
      join
        .onRef('seat.user_id', '=', 'invitations.invited_by')
        .onRef('seat.organization_id', '=', 'invitations.organization_id'),
    )
    .where('invitations.accepted_at', 'is', null)
    .where('invitations.revoked_at', 'is', null)
    .where('invitations.expires_at', '>', await tx.realNow())
    .where('organizations.deleted_at', 'is', null)
    .where('organizations.disabled_at', 'is', null)
    .where('inviter.deleted_at', 'is', null)
    .where('inviter.disabled_at', 'is', null)
    .where(({ eb, and, or }) =>
      or([
        eb('seat.role', '=', 'OWNER'),
        and([eb('seat.role', '=', 'ADMIN'), eb('invitations.role', '=', 'MEMBER')]),
      ]),
    );
}

/**
 * Deletes those that have expired, with the addresses in them. True while there may be more. Those that ended earlier
 * wait for it: an organization's limit counts those of a day, and one is open for three.
 */
export const purgeInvitations = write(async (tx): Promise<boolean> => {
  const now = await tx.realNow();
  const gone = await tx.db
    .deleteFrom('invitations')
    .where('id', 'in', (eb) =>
      eb.selectFrom('invitations').select('id').where('expires_at', '<=', now).limit(BATCH_ROWS),
    )
    .executeTakeFirst();
  return gone.numDeletedRows >= BATCH_ROWS;
});
