import type { OrganizationRole } from '@changgu/contract';
import { type Expression, expressionBuilder } from 'kysely';
import { type Origin, userActor } from '../../rules/principals/actor.ts';
import { ServiceError } from '../../rules/service-error.ts';
import type { Database } from '../schema/tables.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, type Transaction, write } from '../transactions/script.ts';

/** The plan of an organization without a subscription. */
export const FREE_PLAN = 'FREE';

interface Registration {
  /** Lower case. */
  readonly email: string;
  readonly name: string;
  readonly phone: string | null;
  readonly passwordHash: string;
  readonly organizationName: string;
  readonly businessNumber: string | null;
  readonly origin: Origin;
}

export interface Registered {
  readonly userId: number;
  readonly organizationId: number;
  readonly createdAt: number;
}

/** What authentication and the login answer need to know about a user; read per request. */
export interface UserFacts {
  readonly userId: number;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly passwordEpoch: number;
  readonly organizationId: number;
  readonly organizationName: string;
  readonly role: OrganizationRole;
  readonly emailVerified: boolean;
  /** The organization requires a second factor that the user does not have yet. */
  readonly mustAddFactor: boolean;
}

export const userScripts = {
  /**
   * Creates the user, the organization that the user owns, and the two consents.
   * @throws ServiceError EMAIL_ALREADY_REGISTERED
   */
  register: write(async (tx, input: Registration): Promise<Registered> => {
    const now = await tx.now();
    const user = await tx.db
      .insertInto('users')
      .values({
        email: input.email,
        name: input.name,
        phone: input.phone,
        password_hash: input.passwordHash,
        created_at: now,
      })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (user === undefined) throw new ServiceError('EMAIL_ALREADY_REGISTERED');
    const organization = await tx.db
      .insertInto('organizations')
      .values({
        name: input.organizationName,
        business_number: input.businessNumber,
        created_at: now,
        tier: 'FREE',
        plan_code: FREE_PLAN,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx.db
      .insertInto('members')
      .values({ user_id: user.id, organization_id: organization.id, role: 'OWNER' })
      .execute();
    await tx.db
      .insertInto('consents')
      .values(
        (['TERMS_OF_SERVICE', 'PRIVACY_POLICY'] as const).map((consentType) => ({
          organization_id: organization.id,
          user_id: user.id,
          consent_type: consentType,
          action: 'GRANT' as const,
          recorded_at: now,
        })),
      )
      .execute();
    await recordAct(tx, userActor(user.id, input.origin), {
      organizationId: organization.id,
      act: 'user.register',
    });
    return { userId: user.id, organizationId: organization.id, createdAt: now };
  }),

  /** Null when the user or the organization no longer exists. */
  find: read(async (tx, by: { userId: number } | { email: string }): Promise<UserFacts | null> => {
    const query = selectUsers(tx);
    const row = await ('userId' in by
      ? query.where('users.id', '=', by.userId)
      : query.where('users.email', '=', by.email)
    ).executeTakeFirst();
    return row ? userOf(row) : null;
  }),

  /** Null when the password has changed since `expectedEpoch` was read. */
  changePassword: write(
    async (
      tx,
      input: {
        readonly userId: number;
        readonly organizationId: number;
        readonly expectedEpoch: number;
        readonly passwordHash: string;
        readonly origin: Origin;
      },
    ): Promise<{ readonly epoch: number; readonly changedAt: number } | null> => {
      const epoch = input.expectedEpoch + 1;
      const changed = await tx.db
        .updateTable('users')
        .set({ password_hash: input.passwordHash, password_epoch: epoch })
        .where('id', '=', input.userId)
        .where('password_epoch', '=', input.expectedEpoch)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      if (changed.numUpdatedRows === 0n) return null;
      await tx.db.deleteFrom('console_sessions').where('user_id', '=', input.userId).execute();
      await recordAct(tx, userActor(input.userId, input.origin), {
        organizationId: input.organizationId,
        act: 'user.change_password',
      });
      return { epoch, changedAt: await tx.now() };
    },
  ),
};

/** Users who can log in, with their organization. */
export function selectUsers(tx: Transaction) {
  return tx.db
    .selectFrom('users')
    .innerJoin('members', 'members.user_id', 'users.id')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .select([
      'users.id',
      'users.email',
      'users.name',
      'users.password_hash',
      'users.password_epoch',
      'users.email_verified_at',
      'members.role',
      'organizations.id as organization_id',
      'organizations.name as organization_name',
      'organizations.factor_required',
    ])
    .select((eb) => confirmedFactorId(eb.ref('users.id')).as('factor_id'))
    .where('users.deleted_at', 'is', null)
    .where('users.disabled_at', 'is', null)
    .where('organizations.deleted_at', 'is', null)
    .where('organizations.disabled_at', 'is', null);
}

/** The id of the user's confirmed second factor; null without one. */
export function confirmedFactorId(userId: Expression<number>) {
  return expressionBuilder<Database>()
    .selectFrom('factors')
    .select('factors.id')
    .where('factors.user_id', '=', userId)
    .where('factors.confirmed_at', 'is not', null)
    .limit(1);
}

type UserRow = NonNullable<Awaited<ReturnType<ReturnType<typeof selectUsers>['executeTakeFirst']>>>;

export function userOf(row: UserRow): UserFacts | null {
  if (row.email === null || row.password_hash === null) return null;
  return {
    userId: row.id,
    email: row.email,
    name: row.name,
    passwordHash: row.password_hash,
    passwordEpoch: row.password_epoch,
    organizationId: row.organization_id,
    organizationName: row.organization_name,
    role: row.role,
    emailVerified: row.email_verified_at !== null,
    mustAddFactor: row.factor_required === 1 && row.factor_id === null,
  };
}
