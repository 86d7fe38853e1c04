import type {
  AppCredentialIssueRequest,
  AppCredentialIssueResponse,
  AppCredentialListResponse,
  AppCredentialRecord,
  AppCredentialRevokeResponse,
} from '@changgu/contract/schemas';
import { generateClientSecret, hashClientSecret } from '../crypto/client-secret.ts';
import { newClientId } from '../ids.ts';
import { cancelQueued } from '../jobs/cancel-queued.ts';
import { kstTime, kstTimeOrNull } from '../rules/kst.ts';
import { actorOf, type Origin } from '../rules/principals/actor.ts';
import type { AdminPrincipal, ConsolePrincipal } from '../rules/principals/principal.ts';
import { principalKey } from '../rules/principals/principal.ts';
import { acceptRevokeReason } from '../rules/principals/revoke-reason.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { AppCredential } from '../store/aggregates/app-credentials.ts';
import type { Store } from '../store/database.ts';

type KeyStore = Pick<Store, 'appCredentials' | 'queuedJobs'>;

/** Who manages keys, and of which organization. */
export interface KeyManager {
  readonly principal: ConsolePrincipal | AdminPrincipal;
  readonly organizationId: number;
  readonly origin: Origin;
}

/**
 * Issues a key; its secret appears only in this answer.
 * @throws ServiceError AUTH_FORBIDDEN_PRINCIPAL, POLICY_PAID_REQUIRED, POLICY_ENV_NOT_APPROVED, POLICY_LIMIT_REACHED
 */
export async function issueAppCredential(
  { appCredentials }: KeyStore,
  { principal, organizationId, origin }: KeyManager,
  request: AppCredentialIssueRequest,
): Promise<AppCredentialIssueResponse> {
  const integrationProfile = request.integration_profile ?? 'standard_external';
  if (integrationProfile === 'desktop_agent' && principal.kind !== 'admin_user') {
    throw new ServiceError('AUTH_FORBIDDEN_PRINCIPAL');
  }
  const secret = generateClientSecret();
  const issued = await appCredentials.issue({
    clientId: newClientId(),
    secretHash: hashClientSecret(secret),
    organizationId,
    label: request.label,
    envScopes: request.allowed_env_scopes ?? null,
    integrationProfile,
    readOnly: request.read_only ?? false,
    allowedActions: request.allowed_actions ?? null,
    allowIrreversibleTools: request.allow_irreversible_tools ?? false,
    actor: actorOf(principal, origin),
  });
  return { ...shown(issued), client_secret: secret, status: 'ACTIVE' };
}

export async function listAppCredentials(
  { appCredentials }: KeyStore,
  organizationId: number,
): Promise<AppCredentialListResponse> {
  return { items: (await appCredentials.list(organizationId)).map(toRecord) };
}

/**
 * Revokes a key for good. Its jobs continue; a security incident cancels those that wait.
 * @throws ServiceError REVOKED_REASON_MISSING, REVOKED_REASON_FORBIDDEN, RESOURCE_NOT_FOUND
 */
export async function revokeAppCredential(
  store: KeyStore,
  manager: Omit<KeyManager, 'organizationId'> & { readonly organizationId: number | null },
  clientId: string,
  sentReason: string | null,
): Promise<AppCredentialRevokeResponse> {
  const { principal, organizationId, origin } = manager;
  const reason = acceptRevokeReason(principal.kind, sentReason);
  const actor = actorOf(principal, origin);
  const key = await store.appCredentials.revoke({ clientId, organizationId, reason, actor });
  if (key.revokedAt === null || key.revokedReason === null) {
    throw new Error(`key ${clientId} was not revoked`);
  }
  if (key.revokedReason === 'security_incident') {
    await cancelQueued(store, {
      organizationId: key.organizationId,
      submittedBy: principalKey({ kind: 'client', id: key.id }),
    });
  }
  return {
    client_id: key.id,
    status: 'REVOKED',
    revoked_at: kstTime(key.revokedAt),
    revoked_reason: key.revokedReason,
  };
}

function shown(key: AppCredential) {
  return {
    client_id: key.id,
    label: key.label,
    allowed_env_scopes: [...key.allowedEnvScopes],
    integration_profile: key.integrationProfile,
    read_only: key.readOnly,
    allowed_actions: key.allowedActions && [...key.allowedActions],
    allow_irreversible_tools: key.allowIrreversibleTools,
    created_at: kstTime(key.createdAt),
  };
}

function toRecord(key: AppCredential): AppCredentialRecord {
  return {
    ...shown(key),
    status: key.revokedAt === null ? 'ACTIVE' : 'REVOKED',
    revoked_at: kstTimeOrNull(key.revokedAt),
    revoked_reason: key.revokedReason,
  };
}
