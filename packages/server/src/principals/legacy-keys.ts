import type {
  LegacyApiKeyIssueRequest,
  LegacyApiKeyIssueResponse,
  LegacyApiKeyListResponse,
  LegacyApiKeyRecord,
  LegacyApiKeyRotateResponse,
} from '@changgu/contract/schemas';
import { generateApiKey } from '../crypto/client-secret.ts';
import { newLegacyKeyId } from '../ids.ts';
import { HOUR_MS } from '../rules/durations.ts';
import { kstDay, kstTime, kstTimeOrNull } from '../rules/kst.ts';
import type { Actor } from '../rules/principals/actor.ts';
import type { LegacyApiKey } from '../store/client-keys/legacy-api-keys.ts';
import type { Store } from '../store/database.ts';
import { assertAddressRanges } from './app-credentials.ts';
import { hashApiKey } from './verifiers.ts';

type LegacyKeyStore = Pick<Store, 'legacyApiKeys'>;

/** Issues an x-api-key; the key appears only in this answer. @throws ServiceError RESOURCE_NOT_FOUND, 400 */
export async function issueLegacyApiKey(
  { legacyApiKeys }: LegacyKeyStore,
  request: LegacyApiKeyIssueRequest,
  actor: Actor,
): Promise<LegacyApiKeyIssueResponse> {
  assertAddressRanges(request.allowed_addresses ?? []);
  const key = generateApiKey();
  const issued = await legacyApiKeys.issue({
    id: newLegacyKeyId(),
    organizationId: request.organization_id,
    envScope: request.env_scope,
    label: request.label,
    expiresAt: typeof request.expires_at === 'string' ? Date.parse(request.expires_at) : null,
    allowedAddresses: request.allowed_addresses ?? null,
    keyHash: hashApiKey(key),
    actor,
  });
  return { ...shown(issued), api_key: key };
}

/**
 * Replaces a key by a new one, shown only in this answer; the old one keeps working for a while.
 * @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE
 */
export async function rotateLegacyApiKey(
  { legacyApiKeys }: LegacyKeyStore,
  id: string,
  overlapHours: number,
  actor: Actor,
): Promise<LegacyApiKeyRotateResponse> {
  const key = generateApiKey();
  const overlapMs = overlapHours * HOUR_MS;
  const rotated = await legacyApiKeys.rotate({ id, keyHash: hashApiKey(key), overlapMs, actor });
  return { ...shown(rotated), api_key: key };
}

export async function listLegacyApiKeys(
  { legacyApiKeys }: LegacyKeyStore,
  organizationId: number,
): Promise<LegacyApiKeyListResponse> {
  return { items: (await legacyApiKeys.list(organizationId)).map(toRecord) };
}

/** Idempotent. @throws ServiceError RESOURCE_NOT_FOUND */
export async function revokeLegacyApiKey(
  { legacyApiKeys }: LegacyKeyStore,
  id: string,
  actor: Actor,
): Promise<LegacyApiKeyRecord> {
  return toRecord(await legacyApiKeys.revoke({ id, actor }));
}

function toRecord(key: LegacyApiKey): LegacyApiKeyRecord {
  return {
    ...shown(key),
    last_used_on: key.lastUsedAt === null ? null : kstDay(key.lastUsedAt),
    last_used_address: key.lastUsedAddress,
    revoked_at: kstTimeOrNull(key.revokedAt),
  };
}

function shown(key: LegacyApiKey) {
  return {
    key_id: key.id,
    organization_id: key.organizationId,
    env_scope: key.envScope,
    label: key.label,
    created_at: kstTime(key.createdAt),
    expires_at: kstTimeOrNull(key.expiresAt),
    allowed_addresses: key.allowedAddresses && [...key.allowedAddresses],
    previous_key_expires_at: kstTimeOrNull(key.previousKeyUntil),
  };
}
