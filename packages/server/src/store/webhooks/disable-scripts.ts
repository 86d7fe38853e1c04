import type { WebhookDisabledReason } from '@changgu/contract';
import { DAY_MS } from '../../rules/durations.ts';
import type { Actor } from '../../rules/principals/actor.ts';
import { ADMINISTRATORS } from '../../rules/principals/roles.ts';
import { type PostedLetter, postLetter } from '../mail/mail-outbox.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, write } from '../transactions/script.ts';
import { disabledWebhook, signalWebhook } from './webhook-rows.ts';

const SYSTEM: Actor = { kind: 'system', id: 'webhooks', traceId: null };
const NOTICE_VALID_MS = 3 * DAY_MS;

interface Disabling {
  readonly webhookId: string;
  /** The address that was judged. */
  readonly url: string;
  readonly reason: Exclude<WebhookDisabledReason, 'requested'>;
  readonly letters: readonly PostedLetter[];
}

/** Disabling endpoints that do not answer, and who is told of it. */
export const webhookDisableScripts = {
  /** Addresses of the administrators, those that are proven. */
  administrators: read(async (tx, organizationId: number): Promise<string[]> => {
    const rows = await tx.db
      .selectFrom('members')
      .innerJoin('users', 'users.id', 'members.user_id')
      .select('users.email')
      .where('members.organization_id', '=', organizationId)
      .where('members.role', 'in', ADMINISTRATORS)
      .where('users.deleted_at', 'is', null)
      .where('users.email_verified_at', 'is not', null)
      .execute();
    return rows.flatMap(({ email }) => (email === null ? [] : [email]));
  }),

  /** With an event and letters. False when it was off already, or has another address now. */
  disable: write(async (tx, { webhookId, url, reason, letters }: Disabling): Promise<boolean> => {
    const row = await tx.db
      .updateTable('webhooks')
      .set(disabledWebhook(tx, reason))
      .where('id', '=', webhookId)
      .where('url', '=', url)
      .where('status', '=', 'ENABLED')
      .returning('organization_id')
      .executeTakeFirst();
    if (row === undefined) return false;
    const organizationId = row.organization_id;
    const details = { reason };
    await recordAct(tx, SYSTEM, {
      organizationId,
      act: 'webhook.disable',
      target: webhookId,
      details,
    });
    const now = await tx.realNow();
    for (const letter of letters) {
      await postLetter(tx, letter, { wanted: true, now, expiresAt: now + NOTICE_VALID_MS });
    }
    signalWebhook(tx, organizationId);
    return true;
  }),
};
