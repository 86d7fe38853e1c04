import type { ReissueReason, RequestDecision } from '@changgu/contract/schemas';
import { decisionChanges } from '../../rules/organizations/env-access.ts';
import type { Actor } from '../../rules/principals/actor.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { revokeAppCredential } from '../client-keys/app-credentials.ts';
import { COLUMNS } from '../schema/columns.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, type Transaction, write } from '../transactions/script.ts';
import { type ApplicationRow, lockApplication } from './lock-application.ts';

interface ApplicationForm {
  readonly companyName: string;
  readonly contactEmail: string;
  readonly useCaseText: string | null;
  readonly expectedCustomerCount: number | null;
  readonly requestedPlanCode: string | null;
}

export interface Reissue {
  readonly reason: ReissueReason;
  readonly revokeClientId: string;
}

export interface Application extends ApplicationForm {
  readonly id: number;
  readonly organizationId: number;
  readonly reissue: Reissue | null;
  readonly status: 'SUBMITTED' | RequestDecision;
  readonly submittedAt: number;
  readonly decidedAt: number | null;
  readonly note: string | null;
}

export interface ListedApplication extends Application {
  readonly organizationName: string;
}

interface Submission {
  readonly organizationId: number;
  readonly userId: number;
  readonly form: ApplicationForm;
  readonly reissue: Reissue | null;
  readonly actor: Actor;
}

/** Undecided applications of an organization, so that it alone does not fill the operator's list. */
const MAX_UNDECIDED = 50;

/** Integrator applications. */
export const integratorScripts = {
  /**
   * A reissue revokes the old key in the same transaction.
   * @throws ServiceError RESOURCE_NOT_FOUND when that is not an integrator key of the organization;
   *   POLICY_LIMIT_REACHED
   */
  submit: write(async (tx, input: Submission): Promise<Application> => {
    const { organizationId, form, reissue, actor } = input;
    if (reissue === null) await assertRoom(tx, organizationId);
    else await supersede(tx, organizationId, reissue.revokeClientId, actor);
    const row = await tx.db
      .insertInto('integrator_applications')
      .values({
        organization_id: organizationId,
        user_id: input.userId,
        company_name: form.companyName,
        contact_email: form.contactEmail,
        use_case_text: form.useCaseText,
        expected_customer_count: form.expectedCustomerCount,
        requested_plan_code: form.requestedPlanCode,
        reissue_reason: reissue?.reason ?? null,
        revoke_client_id: reissue?.revokeClientId ?? null,
        status: 'SUBMITTED',
        submitted_at: tx.clock,
      })
      .returning(COLUMNS.integrator_applications)
      .executeTakeFirstOrThrow();
    await recordAct(tx, actor, {
      organizationId,
      act: 'integrator.submit',
      target: String(row.id),
      details: { reissue: reissue?.reason ?? null },
    });
    return applicationOf(row);
  }),

  /** At most 100: undecided ones oldest first, as they wait, and all others newest first. */
  list: read(
    async (
      tx,
      filter: {
        readonly organizationId: number | null;
        readonly status: Application['status'] | null;
      },
    ): Promise<ListedApplication[]> => {
      const { organizationId, status } = filter;
      let query = tx.db
        .selectFrom('integrator_applications')
        .select(COLUMNS.integrator_applications)
        .select((eb) =>
          eb
            .selectFrom('organizations')
            .select('name')
            .whereRef('organizations.id', '=', 'integrator_applications.organization_id')
            .$asScalar()
            .$notNull()
            .as('organizationName'),
        )
        .orderBy('id', status === 'SUBMITTED' ? 'asc' : 'desc')
        .limit(100);
      if (organizationId !== null) query = query.where('organization_id', '=', organizationId);
      if (status !== null) query = query.where('status', '=', status);
      const rows = await query.execute();
      return rows.map((row) => ({
        ...applicationOf(row),
        organizationName: row.organizationName,
      }));
    },
  ),

  /** Idempotent. @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE */
  decide: write(
    async (
      tx,
      input: {
        readonly id: number;
        readonly decision: RequestDecision;
        readonly note: string | null;
        readonly actor: Actor;
      },
    ): Promise<Application> => {
      const application = await lockApplication(tx, input.id);
      if (!decisionChanges(application.status, input.decision)) return applicationOf(application);
      const row = await tx.db
        .updateTable('integrator_applications')
        .set({ status: input.decision, decided_at: tx.clock, note: input.note })
        .where('id', '=', input.id)
        .returning(COLUMNS.integrator_applications)
        .executeTakeFirstOrThrow();
      await recordAct(tx, input.actor, {
        organizationId: row.organization_id,
        act: 'integrator.decide',
        target: String(row.id),
        details: { decision: input.decision },
      });
      return applicationOf(row);
    },
  ),
};

/** @throws ServiceError POLICY_LIMIT_REACHED */
async function assertRoom(tx: Transaction, organizationId: number): Promise<void> {
  await tx.dialect.lock(tx, `integrator-applications:${organizationId}`);
  const { undecided } = await tx.db
    .selectFrom('integrator_applications')
    .select(({ fn }) => fn.countAll<number>().as('undecided'))
    .where('organization_id', '=', organizationId)
    .where('status', '=', 'SUBMITTED')
    .executeTakeFirstOrThrow();
  if (undecided >= MAX_UNDECIDED) {
    throw new ServiceError('POLICY_LIMIT_REACHED', { message: UNDECIDED });
  }
}

const UNDECIDED = {
  ko: `아직 심사 중인 신청이 ${MAX_UNDECIDED}건입니다. 결과가 나온 뒤 다시 신청하십시오.`,
  en: `${MAX_UNDECIDED} applications still wait for a decision. Apply again after one is decided.`,
};

/** Revokes an integrator key because another takes its place. @throws ServiceError RESOURCE_NOT_FOUND */
async function supersede(
  tx: Transaction,
  organizationId: number,
  clientId: string,
  actor: Actor,
): Promise<void> {
  const key = await tx.db
    .selectFrom('app_credentials')
    .select('client_id')
    .where('client_id', '=', clientId)
    .where('organization_id', '=', organizationId)
    .where('integration_profile', '=', 'desktop_agent')
    .executeTakeFirst();
  if (key === undefined) throw new ServiceError('RESOURCE_NOT_FOUND');
  await revokeAppCredential(tx, { clientId, organizationId, reason: 'superseded', actor });
}

function applicationOf(row: ApplicationRow): Application {
  return {
    id: row.id,
    organizationId: row.organization_id,
    companyName: row.company_name,
    contactEmail: row.contact_email,
    useCaseText: row.use_case_text,
    expectedCustomerCount: row.expected_customer_count,
    requestedPlanCode: row.requested_plan_code,
    reissue:
      row.reissue_reason === null || row.revoke_client_id === null
        ? null
        : { reason: row.reissue_reason, revokeClientId: row.revoke_client_id },
    status: row.status,
    submittedAt: row.submitted_at,
    decidedAt: row.decided_at,
    note: row.note,
  };
}
