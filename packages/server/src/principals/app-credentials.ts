import type {
  AppCredentialIssueRequest,
  AppCredentialIssueResponse,
  AppCredentialListResponse,
  AppCredentialRecord,
  AppCredentialRevokeResponse,
  AppCredentialRotateResponse,
} from '@changgu/contract/schemas';
import { generateClientSecret, hashClientSecret } from '../crypto/client-secret.ts';
import { newClientId } from '../ids.ts';
import { cancelQueued } from '../jobs/cancel-queued.ts';
import { HOUR_MS } from '../rules/durations.ts';
import { kstDay, kstTime, kstTimeOrNull } from '../rules/kst.ts';
import { actorOf, type RequestOrigin } from '../rules/principals/actor.ts';
import type { AdminPrincipal, ConsolePrincipal } from '../rules/principals/principal.ts';
import { principalKey } from '../rules/principals/principal.ts';
import { acceptRevokeReason } from '../rules/principals/revoke-reason.ts';
import { type FieldViolation, invalidValue, ServiceError } from '../rules/service-error.ts';
import type { AppCredential } from '../store/client-keys/app-credentials.ts';
import type { Store } from '../store/database.ts';
import { isAddressRange } from './allowed-addresses.ts';

/** How long the old secret works when nothing is said. */
export const DEFAULT_OVERLAP_HOURS = 24;

type KeyStore = Pick<Store, 'appCredentials' | 'queuedJobs'>;

/** The caller who manages keys, and the organization. */
export interface KeyManager {
  readonly principal: ConsolePrincipal | AdminPrincipal;
  readonly organizationId: number;
  readonly origin: RequestOrigin;
}

/** Null for an admin who means whichever organization has the key. */
type AnyKeyManager = Omit<KeyManager, 'organizationId'> & {
  readonly organizationId: number | null;
};

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
  assertAddressRanges(request.allowed_addresses ?? []);
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
    manageWebhooks: request.manage_webhooks ?? false,
    expiresAt: typeof request.expires_at === 'string' ? Date.parse(request.expires_at) : null,
    allowedAddresses: request.allowed_addresses ?? null,
    actor: actorOf(principal, origin),
  });
  return { ...shown(issued), client_secret: secret, status: 'ACTIVE' };
}

/** @throws ServiceError 400 */
export function assertAddressRanges(ranges: readonly string[]): void {
  const violations = ranges.flatMap((range, n): FieldViolation[] => {
    if (isAddressRange(range)) return [];
    const msg = 'Input should be an IP address or a range in CIDR notation';
    return [{ loc: ['body', 'allowed_addresses', n], msg, type: 'value_error' }];
  });
  if (violations.length > 0) throw invalidValue(violations);
}

/**
 * Gives a key a new secret, shown only in this answer; the old one keeps working for a while.
 * @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE
 */
export async function rotateAppCredential(
  { appCredentials }: KeyStore,
  { principal, organizationId, origin }: AnyKeyManager,
  clientId: string,
  overlapHours: number,
): Promise<AppCredentialRotateResponse> {
  const secret = generateClientSecret();
  const rotated = await appCredentials.rotate({
    clientId,
    organizationId,
    secretHash: hashClientSecret(secret),
    overlapMs: overlapHours * HOUR_MS,
    actor: actorOf(principal, origin),
  });
  return { ...shown(rotated), client_secret: secret, status: 'ACTIVE' };
}

export async function listAppCredentials(
  { appCredentials }: KeyStore,
  organizationId: number,
): Promise<AppCredentialListResponse> {
  return { items: (await appCredentials.list(organizationId)).map(toRecord) };
}

/**
 * Permanently revokes a key. Its jobs continue, except that a security incident cancels queued ones.
 * @throws ServiceError REVOKED_REASON_MISSING, REVOKED_REASON_FORBIDDEN, RESOURCE_NOT_FOUND
 */
export async function revokeAppCredential(
  store: KeyStore,
  manager: AnyKeyManager,
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
    manage_webhooks: key.manageWebhooks,
    created_at: kstTime(key.createdAt),
    expires_at: kstTimeOrNull(key.expiresAt),
    allowed_addresses: key.allowedAddresses && [...key.allowedAddresses],
    previous_secret_expires_at: kstTimeOrNull(key.previousSecretUntil),
  };
}

function toRecord(key: AppCredential): AppCredentialRecord {
  return {
    ...shown(key),
    status: statusOf(key),
    last_used_on: key.lastUsedAt === null ? null : kstDay(key.lastUsedAt),
    last_used_address: key.lastUsedAddress,
    revoked_at: kstTimeOrNull(key.revokedAt),
    revoked_reason: key.revokedReason,
  };
}

function statusOf({ revokedAt, expired }: AppCredential): AppCredentialRecord['status'] {
  if (revokedAt !== null) return 'REVOKED';
  return expired ? 'EXPIRED' : 'ACTIVE';
}
