import { hash, randomBytes } from 'node:crypto';
import type {
  AdminIntegratorListResponse,
  DecisionRequest,
  HandoffExchangeResponse,
  HandoffResponse,
  IntegratorApplicationListResponse,
  IntegratorApplicationRecord,
  IntegratorApplicationRequest,
  IntegratorReissueRequest,
} from '@changgu/contract/schemas';
import { generateClientSecret, hashClientSecret } from '../crypto/client-secret.ts';
import { newClientId } from '../ids.ts';
import { kstTime, kstTimeOrNull } from '../rules/kst.ts';
import { type Actor, actorOf, type RequestOrigin } from '../rules/principals/actor.ts';
import type { ConsolePrincipal } from '../rules/principals/principal.ts';
import type { Store } from '../store/database.ts';
import type { Application, Reissue } from '../store/requests/integrators.ts';

type IntegratorStore = Pick<Store, 'integrators'>;

/** Applies for an integrator key, or for one that replaces another. @throws ServiceError RESOURCE_NOT_FOUND */
export async function submitApplication(
  { integrators }: IntegratorStore,
  principal: ConsolePrincipal,
  request: IntegratorApplicationRequest | IntegratorReissueRequest,
  origin: RequestOrigin,
): Promise<IntegratorApplicationRecord> {
  const application = await integrators.submit({
    organizationId: principal.organizationId,
    userId: principal.userId,
    form: {
      companyName: request.company_name,
      contactEmail: request.contact_email,
      useCaseText: request.use_case_text ?? null,
      expectedCustomerCount: request.expected_customer_count ?? null,
      requestedPlanCode: request.requested_plan_code ?? null,
    },
    reissue: reissueOf(request),
    actor: actorOf(principal, origin),
  });
  return toRecord(application);
}

export async function listApplications(
  { integrators }: IntegratorStore,
  organizationId: number,
): Promise<IntegratorApplicationListResponse> {
  const applications = await integrators.list({ organizationId, status: null });
  return { items: applications.map(toRecord) };
}

/** Applications of all organizations, for operators. */
export async function listApplicationsForAdmin(
  { integrators }: IntegratorStore,
  { status }: { readonly status?: Application['status'] },
): Promise<AdminIntegratorListResponse> {
  const applications = await integrators.list({ organizationId: null, status: status ?? null });
  const items = applications.map((application) => ({
    organization_id: application.organizationId,
    organization_name: application.organizationName,
    ...toRecord(application),
    note: application.note,
  }));
  return { items };
}

/** Idempotent. @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE */
export async function decideApplication(
  { integrators }: IntegratorStore,
  id: number,
  { decision, note }: DecisionRequest,
  actor: Actor,
): Promise<IntegratorApplicationRecord> {
  return toRecord(await integrators.decide({ id, decision, note: note ?? null, actor }));
}

/** Mints the token that an installation exchanges for its key. @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE */
export async function mintHandoff(
  { integrators }: IntegratorStore,
  principal: ConsolePrincipal,
  id: number,
  origin: RequestOrigin,
): Promise<HandoffResponse> {
  const token = randomBytes(32).toString('base64url');
  const { expiresAt } = await integrators.mint({
    id,
    organizationId: principal.organizationId,
    tokenHash: hashToken(token),
    actor: actorOf(principal, origin),
  });
  return { handoff_token: token, expires_at: kstTime(expiresAt) };
}

/** Single use. @throws ServiceError HANDOFF_TOKEN_INVALID, POLICY_LIMIT_REACHED */
export async function exchangeHandoff(
  { integrators }: IntegratorStore,
  token: string,
  origin: RequestOrigin,
): Promise<HandoffExchangeResponse> {
  const clientId = newClientId();
  const secret = generateClientSecret();
  await integrators.exchange({
    tokenHash: hashToken(token),
    clientId,
    secretHash: hashClientSecret(secret),
    origin,
  });
  return { client_id: clientId, client_secret: secret };
}

function reissueOf(
  request: IntegratorApplicationRequest | IntegratorReissueRequest,
): Reissue | null {
  if (!('revoke_client_id' in request)) return null;
  return { reason: request.reissue_reason, revokeClientId: request.revoke_client_id };
}

function hashToken(token: string): string {
  return hash('sha256', token);
}

function toRecord(application: Application): IntegratorApplicationRecord {
  return {
    application_id: application.id,
    status: application.status,
    company_name: application.companyName,
    contact_email: application.contactEmail,
    use_case_text: application.useCaseText,
    expected_customer_count: application.expectedCustomerCount,
    requested_plan_code: application.requestedPlanCode,
    reissue_reason: application.reissue?.reason ?? null,
    revoke_client_id: application.reissue?.revokeClientId ?? null,
    submitted_at: kstTime(application.submittedAt),
    decided_at: kstTimeOrNull(application.decidedAt),
  };
}
