import { hash } from 'node:crypto';
import { mayBeClientSecret, verifyClientSecret } from '../crypto/client-secret.ts';
import type { TokenSubject, Tokens } from '../crypto/signing-keys.ts';
import type {
  AdminPrincipal,
  ConsolePrincipal,
  OpenSession,
  Verifiers,
} from '../rules/principals/principal.ts';
import type { Store } from '../store/database.ts';
import type { SessionFacts } from '../store/people/console-sessions.ts';
import type { UserFacts } from '../store/people/users.ts';
import { shareLookups } from '../store/transactions/shared-lookups.ts';
import { isAllowedAddress } from './allowed-addresses.ts';
import { createKeyUse, type KeyUse } from './key-use.ts';
import { csrfTokenOf, hashSessionSecret, isSessionSecret } from './session-secret.ts';

const CLIENT_ID = /^cli_[0-9A-HJKMNP-TV-Z]{26}$/;

type VerifierStore = Pick<
  Store,
  'appCredentials' | 'legacyApiKeys' | 'users' | 'admins' | 'consoleSessions' | 'keyUse' | 'audit'
>;

/** The stored hash of an x-api-key. Its 256 random bits need no slow hash. */
export function hashApiKey(key: string): string {
  return hash('sha256', key);
}

/** Authenticates callers against the database on each request. */
export function createVerifiers(
  store: VerifierStore,
  tokens: Pick<Tokens, 'verify'>,
  accessToken: Verifiers['accessToken'] = async () => null,
): Verifiers {
  const keyUse = createKeyUse(store, () => performance.now());
  const consoleUsers = createConsoleVerifier(store);
  const findAdmin = shareLookups((adminId: number) => store.admins.find({ adminId }));

  async function admin(subject: TokenSubject): Promise<AdminPrincipal | null> {
    const found = await findAdmin(Number(subject.userId));
    if (found === null || found.tokenEpoch !== subject.passwordEpoch) return null;
    return { kind: 'admin_user', id: String(found.adminId), email: found.email };
  }

  return {
    client: createClientVerifier(store, keyUse),

    async bearer(token) {
      const verified = await tokens.verify(token);
      if (!verified.ok || !Number.isSafeInteger(Number(verified.subject.userId))) return null;
      return verified.subject.kind === 'console_user'
        ? consoleUsers.bearer(verified.subject)
        : admin(verified.subject);
    },

    accessToken,

    cookie: consoleUsers.cookie,

    legacyKey: createLegacyKeyVerifier(store, keyUse),
  };
}

/** Console users, by a token or by the cookie of a session. */
function createConsoleVerifier({
  users,
  consoleSessions,
}: Pick<VerifierStore, 'users' | 'consoleSessions'>) {
  const findUser = shareLookups((userId: number) => users.find({ userId }));
  const findSession = shareLookups((id: string) => consoleSessions.find({ id }));
  const findCookie = shareLookups((secretHash: string) => consoleSessions.find({ secretHash }));

  async function inSession(
    found: SessionFacts,
    csrfToken: string | null,
  ): Promise<ConsolePrincipal> {
    // If it fails, the next request records the use.
    if (found.dueForTouch) await consoleSessions.touch(found.sessionId).catch(() => {});
    const { sessionId: id, expiresAt, vouched } = found;
    return consolePrincipal(found, { id, expiresAt, csrfToken, vouched });
  }

  return {
    async bearer(subject: TokenSubject): Promise<ConsolePrincipal | null> {
      const { userId, passwordEpoch, sessionId } = subject;
      if (sessionId !== undefined) {
        const found = await findSession(sessionId);
        if (found === null || found.userId !== Number(userId)) return null;
        return found.passwordEpoch === passwordEpoch ? inSession(found, null) : null;
      }
      const user = await findUser(Number(userId));
      return user?.passwordEpoch === passwordEpoch ? consolePrincipal(user, null) : null;
    },

    async cookie(secret: string): Promise<ConsolePrincipal | null> {
      const found = isSessionSecret(secret) ? await findCookie(hashSessionSecret(secret)) : null;
      return found && inSession(found, csrfTokenOf(secret));
    },
  };
}

function consolePrincipal(user: UserFacts, session: OpenSession | null): ConsolePrincipal {
  const { userId, organizationId, role, mustAddFactor, passwordEpoch } = user;
  return {
    kind: 'console_user',
    id: String(userId),
    userId,
    organizationId,
    role,
    mustAddFactor,
    passwordEpoch,
    session,
  };
}

function createLegacyKeyVerifier(
  store: Pick<VerifierStore, 'legacyApiKeys'>,
  keyUse: KeyUse,
): Verifiers['legacyKey'] {
  const findLegacyKey = shareLookups(store.legacyApiKeys.verify);

  return async (key, origin) => {
    const found = await findLegacyKey(hashApiKey(key));
    if (found === null) return null;
    const { principal, allowedAddresses } = found;
    if (allowedAddresses && !isAllowedAddress(allowedAddresses, origin.address ?? null)) {
      keyUse.refused(principal, origin, 'address');
      return null;
    }
    keyUse.used(principal, origin);
    return principal;
  };
}

function createClientVerifier(
  { appCredentials }: Pick<VerifierStore, 'appCredentials'>,
  keyUse: KeyUse,
): Verifiers['client'] {
  return async (clientId, clientSecret, origin) => {
    const isPossible = CLIENT_ID.test(clientId) && mayBeClientSecret(clientSecret);
    const found = isPossible ? await appCredentials.verify(clientId) : null;
    // Also done without a key, so that timing does not reveal whether it exists.
    const current = verifyClientSecret(clientSecret, found?.secretHash ?? null);
    if (found === null) return null;
    const { principal, allowedAddresses, previousSecretHash: before } = found;
    const isProven = current || (before !== null && verifyClientSecret(clientSecret, before));
    if (!isProven) keyUse.refused(principal, origin, 'secret');
    else if (allowedAddresses && !isAllowedAddress(allowedAddresses, origin.address ?? null)) {
      keyUse.refused(principal, origin, 'address');
    } else {
      keyUse.used(principal, origin);
      return principal;
    }
    return null;
  };
}
