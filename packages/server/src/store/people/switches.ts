import type { Actor } from '../../rules/principals/actor.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { recordAct } from '../transactions/audit.ts';
import { type Transaction, write } from '../transactions/script.ts';
import { signalWebhook } from '../webhooks/webhook-rows.ts';
import { endSessionsOf } from './console-sessions.ts';

export const SWITCHED = ['user', 'organization', 'key'] as const;

interface Switch {
  readonly kind: (typeof SWITCHED)[number];
  /** An email address in lower case, an organization's id, or a key's id. */
  readonly id: string;
  readonly disabled: boolean;
  readonly actor: Actor;
}

/** What an operator disables and enables: its credentials do not work in between. */
export const switchScripts = {
  /** @throws ServiceError RESOURCE_NOT_FOUND */
  set: write(async (tx, input: Switch): Promise<void> => {
    const disabledAt = input.disabled ? await tx.realNow() : null;
    const found = await SETTERS[input.kind](tx, input.id, disabledAt);
    if (found === null)
      throw new ServiceError('RESOURCE_NOT_FOUND', { missing: `${NAMES[input.kind]} ${input.id}` });
    await recordAct(tx, input.actor, {
      organizationId: found.organizationId,
      act: `${input.kind}.${input.disabled ? 'disable' : 'enable'}`,
      target: found.target,
    });
  }),
};

const NAMES = { user: 'account', organization: 'organization', key: 'key' } as const;

type Setter = (
  tx: Transaction,
  id: string,
  disabledAt: number | null,
) => Promise<{ readonly organizationId: number; readonly target: string } | null>;

const SETTERS: Readonly<Record<Switch['kind'], Setter>> = {
  async user(tx, email, disabled_at) {
    const row = await tx.db
      .updateTable('users')
      .set({ disabled_at })
      .where('email', '=', email)
      .where('deleted_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (row === undefined) return null;
    if (disabled_at !== null) await endSessionsOf(tx, row.id);
    const member = await tx.db
      .selectFrom('members')
      .select('organization_id')
      .where('user_id', '=', row.id)
      .executeTakeFirstOrThrow();
    return { organizationId: member.organization_id, target: String(row.id) };
  },
  async organization(tx, id, disabled_at) {
    if (!/^\d{1,9}$/.test(id)) return null;
    const row = await tx.db
      .updateTable('organizations')
      .set({ disabled_at })
      .where('id', '=', Number(id))
      .where('deleted_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (row === undefined) return null;
    signalWebhook(tx, row.id);
    return { organizationId: row.id, target: id };
  },
  async key(tx, id, disabled_at) {
    const row = id.startsWith('lak_')
      ? await tx.db
          .updateTable('legacy_api_keys')
          .set({ disabled_at })
          .where('id', '=', id)
          .returning('organization_id')
          .executeTakeFirst()
      : await tx.db
          .updateTable('app_credentials')
          .set({ disabled_at })
          .where('client_id', '=', id)
          .returning('organization_id')
          .executeTakeFirst();
    return row === undefined ? null : { organizationId: row.organization_id, target: id };
  },
};
