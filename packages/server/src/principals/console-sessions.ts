import { randomUUID } from 'node:crypto';
import type {
  LogoutResponse,
  SessionEndResponse,
  SessionListResponse,
  SessionResponse,
} from '@changgu/contract/schemas';
import type { Tokens } from '../crypto/signing-keys.ts';
import { kstDay, kstTime } from '../rules/kst.ts';
import { actorOf, type RequestOrigin } from '../rules/principals/actor.ts';
import type { ConsolePrincipal, OpenSession } from '../rules/principals/principal.ts';
import {
  CONSOLE_TOKEN_SECONDS,
  SESSION_COOKIE_SECONDS,
} from '../rules/principals/session-limits.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import type { UserFacts } from '../store/people/users.ts';
import { csrfTokenOf, hashSessionSecret, newSessionSecret } from './session-secret.ts';

export interface SessionDependencies {
  readonly store: Pick<Store, 'consoleSessions'>;
  readonly tokens: Pick<Tokens, 'issue'>;
}

type Who = Pick<UserFacts, 'userId' | 'passwordEpoch'>;

/** Opens a session for a program, which keeps a token. */
export async function openTokenSession(
  { store, tokens }: SessionDependencies,
  { userId, passwordEpoch }: Who,
  origin: RequestOrigin,
): Promise<string> {
  const id = randomUUID();
  const lifeMs = CONSOLE_TOKEN_SECONDS * 1_000;
  await store.consoleSessions.open({
    address: origin.address,
    userAgent: origin.userAgent,
    id,
    userId,
    passwordEpoch,
    secretHash: null,
    lifeMs,
  });
  const subject = {
    kind: 'console_user',
    userId: String(userId),
    passwordEpoch,
    sessionId: id,
  } as const;
  return (await tokens.issue(subject, CONSOLE_TOKEN_SECONDS)).token;
}

export interface CookieSession {
  /** The value of the cookie. */
  readonly secret: string;
  readonly csrfToken: string;
  readonly expiresAt: number;
}

/** Opens a session for a browser, which keeps a cookie. */
export async function openCookieSession(
  store: SessionDependencies['store'],
  { userId, passwordEpoch }: Who,
  origin: RequestOrigin,
): Promise<CookieSession> {
  const secret = newSessionSecret();
  const { expiresAt } = await store.consoleSessions.open({
    address: origin.address,
    userAgent: origin.userAgent,
    id: randomUUID(),
    userId,
    passwordEpoch,
    secretHash: hashSessionSecret(secret),
    lifeMs: SESSION_COOKIE_SECONDS * 1_000,
  });
  return { secret, csrfToken: csrfTokenOf(secret), expiresAt };
}

/** What the console shows about a user. */
export function sessionView(
  user: UserFacts,
  session: (Pick<OpenSession, 'csrfToken' | 'expiresAt'> & Partial<OpenSession>) | null,
  identityProvider: string | null = null,
): SessionResponse {
  return {
    user: { user_id: user.userId, email: user.email, name: user.name },
    organization: { organization_id: user.organizationId, name: user.organizationName },
    role: user.role,
    email_verified: user.emailVerified,
    must_add_factor: user.mustAddFactor,
    csrf_token: session?.csrfToken ?? null,
    expires_at: session && kstTime(session.expiresAt),
    has_password: (session?.vouched ?? null) === null,
    identity_provider: identityProvider,
  };
}

/** @throws ServiceError AUTH_INVALID_CREDENTIALS when the user no longer exists */
export async function readSession(
  { users, identities }: Pick<Store, 'users' | 'identities'>,
  { userId, session, mustAddFactor }: ConsolePrincipal,
): Promise<SessionResponse> {
  const user = await users.find({ userId });
  if (user === null) throw new ServiceError('AUTH_INVALID_CREDENTIALS');
  const identityProvider = session?.vouched ? await identities.providerOf(userId) : null;
  return sessionView({ ...user, mustAddFactor }, session, identityProvider);
}

export async function listSessions(
  { consoleSessions }: Pick<Store, 'consoleSessions'>,
  { userId, session }: ConsolePrincipal,
): Promise<SessionListResponse> {
  const open = await consoleSessions.list(userId);
  return {
    items: open.map((each) => ({
      session_id: each.id,
      current: each.id === session?.id,
      kind: each.kind,
      created_at: kstTime(each.createdAt),
      last_used_on: kstDay(each.lastUsedAt),
      expires_at: kstTime(each.expiresAt),
      address: each.address,
      user_agent: each.userAgent,
    })),
  };
}

/** @throws ServiceError RESOURCE_NOT_FOUND */
export async function endSession(
  { consoleSessions }: Pick<Store, 'consoleSessions'>,
  principal: ConsolePrincipal,
  id: string,
  origin: RequestOrigin,
): Promise<SessionEndResponse> {
  const { userId, organizationId } = principal;
  await consoleSessions.end({ id, userId, organizationId, actor: actorOf(principal, origin) });
  return { session_id: id, status: 'ENDED' };
}

/**
 * Ends the caller's session, or all sessions of the user. A token from before sessions can only end all.
 * @param addressOf where the browser logs out at the identity provider of the session, too
 */
export async function logout(
  { consoleSessions }: Pick<Store, 'consoleSessions'>,
  principal: ConsolePrincipal,
  everywhere: boolean,
  origin: RequestOrigin,
  addressOf: (sessionId: string) => Promise<string | null>,
): Promise<LogoutResponse> {
  const { userId, organizationId, session } = principal;
  const actor = actorOf(principal, origin);
  const provider_logout_url = session?.vouched ? await addressOf(session.id) : null;
  if (everywhere || session === null) {
    const ended = await consoleSessions.endAll({ userId, organizationId, actor });
    return { ended_sessions: ended, provider_logout_url };
  }
  await consoleSessions.end({ id: session.id, userId, organizationId, actor });
  return { ended_sessions: 1, provider_logout_url };
}
