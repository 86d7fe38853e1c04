import { randomUUID } from 'node:crypto';
import { SYSTEM_SCOPE, type Vault } from '../crypto/vault.ts';
import { recordLogin } from '../principals/login.ts';
import { hashSessionSecret, newSessionSecret } from '../principals/session-secret.ts';
import { HOUR_MS } from '../rules/durations.ts';
import type { RequestOrigin } from '../rules/principals/actor.ts';
import { SESSION_COOKIE_SECONDS } from '../rules/principals/session-limits.ts';
import type { Store } from '../store/database.ts';
import type { UserFacts } from '../store/people/users.ts';
import { vouchedTokensPlace } from '../store/schema/sealed-places.ts';
import type { ProviderTokens, VouchedLogin } from './provider-client.ts';

/** How often a provider is asked whether it still vouches, and how long it is believed when it cannot be asked. */
export const RECHECK_MS = 300_000;
export const VOUCHED_MS = HOUR_MS;

interface SessionDependencies {
  readonly store: Pick<Store, 'audit' | 'consoleSessions' | 'identities'>;
  readonly vault: Pick<Vault, 'seal'>;
}

/** Opens a session that ends when the provider says so. Answers what the cookie holds. */
export async function openVouchedSession(
  { store, vault }: SessionDependencies,
  user: UserFacts,
  { login, provider, factor }: { login: VouchedLogin; provider: string; factor: boolean },
  origin: RequestOrigin,
): Promise<string> {
  const id = randomUUID();
  const secret = newSessionSecret();
  await store.consoleSessions.open({
    id,
    userId: user.userId,
    passwordEpoch: user.passwordEpoch,
    address: origin.address,
    userAgent: origin.userAgent,
    secretHash: hashSessionSecret(secret),
    lifeMs: SESSION_COOKIE_SECONDS * 1_000,
    vouched: {
      providerSid: login.providerSid,
      tokens: await sealTokens(vault, id, login.tokens),
      vouchedForMs: VOUCHED_MS,
      checkAfterMs: RECHECK_MS,
      factor,
    },
  });
  await store.identities.used(user.userId);
  await recordLogin(store, user, origin, { provider });
  return secret;
}

export function sealTokens(
  vault: Pick<Vault, 'seal'>,
  sessionId: string,
  tokens: ProviderTokens,
): Promise<Uint8Array> {
  const plaintext = Buffer.from(JSON.stringify(tokens));
  return vault.seal(SYSTEM_SCOPE, vouchedTokensPlace(sessionId), plaintext);
}

export async function openTokens(
  vault: Pick<Vault, 'open'>,
  sessionId: string,
  sealed: Uint8Array,
): Promise<ProviderTokens> {
  const bytes = await vault.open(SYSTEM_SCOPE, vouchedTokensPlace(sessionId), sealed);
  return JSON.parse(Buffer.from(bytes).toString());
}
