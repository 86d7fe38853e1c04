import type { RequestDecision } from '@changgu/contract/schemas';
import type { Selectable } from 'kysely';
import {
  approve,
  assertMayAsk,
  decisionChanges,
  type EnvAccessSettings,
} from '../../rules/organizations/env-access.ts';
import { hasRealTest } from '../../rules/organizations/policy.ts';
import type { Actor } from '../../rules/principals/actor.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { COLUMNS } from '../schema/columns.ts';
import type { Database } from '../schema/tables.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, type Transaction, write } from '../transactions/script.ts';

export interface EnvAccess {
  readonly id: number;
  readonly organizationId: number;
  readonly reasonText: string | null;
  readonly status: 'PENDING' | RequestDecision;
  readonly createdAt: number;
  readonly decidedAt: number | null;
  readonly note: string | null;
}

export interface ListedEnvAccess extends EnvAccess {
  readonly organizationName: string;
}

interface Request {
  readonly organizationId: number;
  readonly userId: number;
  readonly reasonText: string | null;
  readonly settings: EnvAccessSettings;
  readonly actor: Actor;
}

interface Decision {
  readonly id: number;
  readonly decision: RequestDecision;
  readonly note: string | null;
  readonly settings: EnvAccessSettings;
  readonly actor: Actor;
}

/** Requests for real_test and operators' decisions. */
export const envAccessScripts = {
  /** @throws ServiceError CONFLICT_DUPLICATE */
  request: write(async (tx, input: Request): Promise<EnvAccess> => {
    const { organizationId, settings, actor } = input;
    await lockRequests(tx, organizationId);
    const organization = await requireOrganization(tx, organizationId);
    const pending = await tx.db
      .selectFrom('env_access_requests')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('status', '=', 'PENDING')
      .executeTakeFirst();
    const now = await tx.now();
    assertMayAsk(hasRealTest(organization, now), pending !== undefined);
    const row = await tx.db
      .insertInto('env_access_requests')
      .values({
        organization_id: organizationId,
        user_id: input.userId,
        reason_text: input.reasonText,
        status: 'PENDING',
        created_at: now,
      })
      .returning(COLUMNS.env_access_requests)
      .executeTakeFirstOrThrow();
    await recordAct(tx, actor, {
      organizationId,
      act: 'env_access.request',
      target: String(row.id),
    });
    if (!settings.autoApprove) return envAccessOf(row);
    const system = { kind: 'system', id: 'auto_approve', traceId: actor.traceId } as const;
    return decide(tx, row, { ...input, decision: 'APPROVED', note: null, actor: system });
  }),

  /** Idempotent. @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE */
  decide: write(async (tx, input: Decision): Promise<EnvAccess> => {
    const found = await findRequest(tx, input.id);
    await lockRequests(tx, found.organization_id);
    return decide(tx, await findRequest(tx, input.id), input);
  }),

  /** At most 100: undecided ones oldest first, as they wait, and all others newest first. */
  list: read(
    async (
      tx,
      filter: {
        readonly organizationId: number | null;
        readonly status: EnvAccess['status'] | null;
      },
    ): Promise<ListedEnvAccess[]> => {
      const { organizationId, status } = filter;
      let query = tx.db
        .selectFrom('env_access_requests')
        .select(COLUMNS.env_access_requests)
        .select((eb) =>
          eb
            .selectFrom('organizations')
            .select('name')
            .whereRef('organizations.id', '=', 'env_access_requests.organization_id')
            .$asScalar()
            .$notNull()
            .as('organizationName'),
        )
        .orderBy('id', status === 'PENDING' ? 'asc' : 'desc')
        .limit(100);
      if (organizationId !== null) query = query.where('organization_id', '=', organizationId);
      if (status !== null) query = query.where('status', '=', status);
      const rows = await query.execute();
      return rows.map((row) => ({ ...envAccessOf(row), organizationName: row.organizationName }));
    },
  ),
};

type Row = Selectable<Database['env_access_requests']>;

async function lockRequests(tx: Transaction, organizationId: number): Promise<void> {
  await tx.dialect.lock(tx, `env-access:${organizationId}`);
}

async function findRequest(tx: Transaction, id: number): Promise<Row> {
  const row = await tx.db
    .selectFrom('env_access_requests')
    .select(COLUMNS.env_access_requests)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw new ServiceError('RESOURCE_NOT_FOUND', { missing: `request ${id}` });
  return row;
}

async function decide(
  tx: Transaction,
  request: Row,
  { decision, note, settings, actor }: Omit<Decision, 'id'>,
): Promise<EnvAccess> {
  if (!decisionChanges(request.status, decision)) return envAccessOf(request);
  const now = await tx.now();
  const row = await tx.db
    .updateTable('env_access_requests')
    .set({ status: decision, decided_at: now, note })
    .where('id', '=', request.id)
    .returning(COLUMNS.env_access_requests)
    .executeTakeFirstOrThrow();
  if (decision === 'APPROVED') {
    const { realTestApprovedAt, demoEndsAt } = approve(now, settings);
    await tx.db
      .updateTable('organizations')
      .set({ real_test_approved_at: realTestApprovedAt, demo_ends_at: demoEndsAt })
      .where('id', '=', request.organization_id)
      .execute();
  }
  await recordAct(tx, actor, {
    organizationId: request.organization_id,
    act: 'env_access.decide',
    target: String(request.id),
    details: { decision },
  });
  return envAccessOf(row);
}

function envAccessOf(row: Row): EnvAccess {
  return {
    id: row.id,
    organizationId: row.organization_id,
    reasonText: row.reason_text,
    status: row.status,
    createdAt: row.created_at,
    decidedAt: row.decided_at,
    note: row.note,
  };
}
