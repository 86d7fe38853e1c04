import type { Selectable } from 'kysely';
import type { Actor } from '../../rules/principals/actor.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { COLUMNS } from '../schema/columns.ts';
import type { Database } from '../schema/tables.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, type Transaction, write } from '../transactions/script.ts';

/** A payment method; its billing key stays in the database, sealed. */
export interface PaymentMethod {
  readonly organizationId: number;
  readonly cardCompany: string;
  readonly lastFour: string;
  readonly registeredAt: number;
}

interface SessionUse {
  readonly organizationId: number;
  /** The id of the billing-auth session. */
  readonly customerKey: string;
  /** The hash of the auth key that completed the session. */
  readonly authKeyHash: string;
}

interface Registration extends SessionUse {
  readonly billingKey: Uint8Array;
  readonly cardCompany: string;
  readonly lastFour: string;
  readonly actor: Actor;
}

type Row = Selectable<Database['payment_methods']>;

/** Registered payment methods: one at a time, and one row per completed session. */
export const paymentMethodScripts = {
  /** What the session was used for; null when it was not yet. @throws ServiceError CONFLICT_STATE */
  ofSession: read(async (tx, use: SessionUse): Promise<PaymentMethod | null> => {
    const row = await findUse(tx, use);
    return row ? methodOf(row) : null;
  }),

  /**
   * Replaces the current payment method, whose billing key is deleted; a session
   * that was already used keeps its own.
   * @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE
   */
  register: write(
    async (
      tx,
      registration: Registration,
    ): Promise<{ readonly method: PaymentMethod; readonly isNew: boolean }> => {
      const { organizationId, customerKey, authKeyHash, actor } = registration;
      await tx.dialect.lock(tx, `payment-method:${organizationId}`);
      await requireOrganization(tx, organizationId);
      const used = await findUse(tx, registration);
      if (used) return { method: methodOf(used), isNew: false };
      await tx.db
        .updateTable('payment_methods')
        .set({ billing_key: null, replaced_at: tx.clock })
        .where('organization_id', '=', organizationId)
        .where('replaced_at', 'is', null)
        .execute();
      const row = await tx.db
        .insertInto('payment_methods')
        .values({
          organization_id: organizationId,
          customer_key: customerKey,
          auth_key_hash: authKeyHash,
          billing_key: registration.billingKey,
          card_company: registration.cardCompany,
          last_four: registration.lastFour,
          registered_at: await tx.now(),
        })
        .returning(COLUMNS.payment_methods)
        .executeTakeFirstOrThrow();
      await recordAct(tx, actor, {
        organizationId,
        act: 'payment_method.register',
        target: String(row.id),
      });
      return { method: methodOf(row), isNew: true };
    },
  ),

  /** The current one. */
  current: read(
    async (tx, { organizationId }: { organizationId: number }): Promise<PaymentMethod | null> => {
      const row = await tx.db
        .selectFrom('payment_methods')
        .select(COLUMNS.payment_methods)
        .where('organization_id', '=', organizationId)
        .where('replaced_at', 'is', null)
        .executeTakeFirst();
      return row ? methodOf(row) : null;
    },
  ),
};

async function findUse(tx: Transaction, use: SessionUse): Promise<Row | undefined> {
  const row = await tx.db
    .selectFrom('payment_methods')
    .select(COLUMNS.payment_methods)
    .where('organization_id', '=', use.organizationId)
    .where('customer_key', '=', use.customerKey)
    .executeTakeFirst();
  if (row && row.auth_key_hash !== use.authKeyHash) throw new ServiceError('CONFLICT_STATE');
  return row;
}

function methodOf(row: Row): PaymentMethod {
  return {
    organizationId: row.organization_id,
    cardCompany: row.card_company,
    lastFour: row.last_four,
    registeredAt: row.registered_at,
  };
}
