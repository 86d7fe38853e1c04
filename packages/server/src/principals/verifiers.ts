import { hashClientSecret, verifyClientSecret } from '../crypto/client-secret.ts';
import type { TokenSubject, Tokens } from '../crypto/signing-keys.ts';
import type { Store } from '../store/database.ts';
import type { AdminPrincipal, ConsolePrincipal, Verifiers } from './principal.ts';

type Rows = Pick<Store, 'appCredentials' | 'legacyApiKeys' | 'users' | 'admins'>;

/** Who calls, from the rows as they are now: revoked keys and old tokens stop at once (D86, D98). */
export function createVerifiers(store: Rows, tokens: Pick<Tokens, 'verify'>): Verifiers {
  async function consoleUser(subject: TokenSubject): Promise<ConsolePrincipal | null> {
    const user = await store.users.find({ userId: Number(subject.userId) });
    if (user === null || user.passwordEpoch !== subject.passwordEpoch) return null;
    const { userId, organizationId, role } = user;
    return { kind: 'console_user', id: String(userId), userId, organizationId, role };
  }

  async function admin(subject: TokenSubject): Promise<AdminPrincipal | null> {
    const found = await store.admins.find({ adminId: Number(subject.userId) });
    if (found === null || found.tokenEpoch !== subject.passwordEpoch) return null;
    return { kind: 'admin_user', id: String(found.adminId), email: found.email };
  }

  return {
    async client(clientId, clientSecret) {
      const found = await store.appCredentials.verify(clientId);
      // An unknown client costs the same as a wrong secret (D65).
      const valid = verifyClientSecret(clientSecret, found?.secretHash ?? null);
      return valid && found !== null ? found.principal : null;
    },
    async bearer(token) {
      const verification = await tokens.verify(token);
      if (!verification.ok) return null;
      const { subject } = verification;
      return subject.kind === 'console_user' ? consoleUser(subject) : admin(subject);
    },
    legacyKey: (key) => store.legacyApiKeys.verify(hashClientSecret(key)),
  };
}
