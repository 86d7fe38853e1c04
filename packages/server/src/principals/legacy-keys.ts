import { randomBytes } from 'node:crypto';
import type {
  LegacyApiKeyIssueRequest,
  LegacyApiKeyIssueResponse,
  LegacyApiKeyListResponse,
  LegacyApiKeyRecord,
} from '@changgu/contract/schemas';
import { newLegacyKeyId } from '../ids.ts';
import { kstTime, kstTimeOrNull } from '../rules/kst.ts';
import type { Actor } from '../rules/principals/actor.ts';
import type { LegacyApiKey } from '../store/aggregates/legacy-api-keys.ts';
import type { Store } from '../store/database.ts';
import { hashApiKey } from './verifiers.ts';

type LegacyKeyStore = Pick<Store, 'legacyApiKeys'>;

/** Issues an x-api-key; the key appears only in this answer. @throws ServiceError RESOURCE_NOT_FOUND */
export async function issueLegacyApiKey(
  { legacyApiKeys }: LegacyKeyStore,
  request: LegacyApiKeyIssueRequest,
  actor: Actor,
): Promise<LegacyApiKeyIssueResponse> {
  const key = `cgk_${randomBytes(32).toString('base64url')}`;
  const issued = await legacyApiKeys.issue({
    id: newLegacyKeyId(),
    organizationId: request.organization_id,
    envScope: request.env_scope,
    label: request.label,
    keyHash: hashApiKey(key),
    actor,
  });
  const { revoked_at: _never, ...record } = toRecord(issued);
  return { ...record, api_key: key };
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
    key_id: key.id,
    organization_id: key.organizationId,
    env_scope: key.envScope,
    label: key.label,
    created_at: kstTime(key.createdAt),
    revoked_at: kstTimeOrNull(key.revokedAt),
  };
}
