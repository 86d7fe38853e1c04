import type { Tokens } from '../crypto/signing-keys.ts';
import { normalizeEmail } from '../rules/identity/email.ts';
import type { Actor } from '../rules/principals/actor.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';

interface TokenDependencies {
  readonly store: Pick<Store, 'admins'>;
  readonly tokens: Pick<Tokens, 'issue'>;
}

/**
 * Issues a bearer token for an operator; only commands do this.
 * @throws ServiceError RESOURCE_NOT_FOUND; RangeError for a lifetime beyond MAX_TOKEN_SECONDS
 */
export async function issueAdminToken(
  { store, tokens }: TokenDependencies,
  email: string,
  ttlSeconds: number,
  actor: Actor,
): Promise<string> {
  const address = normalizeEmail(email);
  const admin = await store.admins.find({ email: address });
  if (admin === null)
    throw new ServiceError('RESOURCE_NOT_FOUND', { missing: `operator ${address}` });
  const { adminId, tokenEpoch } = admin;
  const subject = {
    kind: 'admin_user',
    userId: String(adminId),
    passwordEpoch: tokenEpoch,
  } as const;
  const { token, jti, expiresAt } = await tokens.issue(subject, ttlSeconds);
  await store.admins.tokenIssued({ adminId, jti, expiresAt, actor });
  return token;
}
