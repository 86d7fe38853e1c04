import type {
  LoginRequest,
  LoginResponse,
  PasskeyLoginRequest,
  SessionResponse,
} from '@changgu/contract/schemas';
import { normalizeEmail } from '../rules/identity/email.ts';
import { CONSOLE_TOKEN_SECONDS } from '../rules/principals/session-limits.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { UserFacts } from '../store/aggregates/users.ts';
import type { Store } from '../store/database.ts';
import {
  type LoginOrigin,
  openCookieSession,
  openTokenSession,
  type SessionDependencies,
  sessionView,
} from './console-sessions.ts';
import { type PasskeyDependencies, provePasskey } from './passkeys.ts';
import { provePassword } from './prove-password.ts';
import { type FactorDependencies, secondProof } from './second-factor.ts';

interface LoginDependencies
  extends SessionDependencies,
    Pick<FactorDependencies, 'vault' | 'clock'> {
  readonly store: Pick<
    Store,
    'users' | 'loginAttempts' | 'consoleSessions' | 'audit' | 'factors' | 'identities'
  >;
  /** Undefined where no passkey can prove a second factor, as on pages without scripts. */
  readonly passkeys?: PasskeyDependencies;
}

interface PasskeyLoginDependencies extends SessionDependencies {
  readonly store: Pick<Store, 'users' | 'consoleSessions' | 'audit' | 'identities'>;
  readonly passkeys: PasskeyDependencies;
}

/** The answer to a login and, if requested, the cookie's value. */
export type LoggedIn =
  | { readonly body: LoginResponse; readonly secret: null }
  | { readonly body: SessionResponse; readonly secret: string };

/**
 * Exchanges email and password for a session. An unknown email and a wrong password cost the same work
 * and get the same answer.
 * @throws ServiceError AUTH_INVALID_CREDENTIALS, RATE_LIMITED, AUTH_FACTOR_REQUIRED, FACTOR_CODE_INVALID,
 *   PASSKEY_INVALID, AUTH_PROVIDER_REQUIRED
 */
export async function login(
  dependencies: LoginDependencies,
  request: LoginRequest,
  origin: LoginOrigin,
): Promise<LoggedIn> {
  const email = normalizeEmail(request.email);
  const { passkeys } = dependencies;
  const { passkey, factor_code: code } = request;
  const signer =
    passkeys && passkey && (() => provePasskey(passkeys, passkey, { traceId: null, ...origin }));
  const second = secondProof(dependencies, code, signer);
  const user = await provePassword(dependencies.store, email, request.password, origin, second);
  if (user === null) throw new ServiceError('AUTH_INVALID_CREDENTIALS');
  return enter(dependencies, user, request.cookie === true, origin);
}

/**
 * Exchanges a passkey's signature for a session. The authenticator has verified its user, so nothing else is asked.
 * @throws ServiceError AUTH_INVALID_CREDENTIALS, PASSKEYS_UNAVAILABLE, AUTH_PROVIDER_REQUIRED
 */
export async function loginWithPasskey(
  dependencies: PasskeyLoginDependencies,
  { attempt, credential, cookie }: PasskeyLoginRequest,
  origin: LoginOrigin,
): Promise<LoggedIn> {
  const userId = await provePasskey(
    dependencies.passkeys,
    { attempt, credential },
    { traceId: null, ...origin },
  );
  const user = userId === null ? null : await dependencies.store.users.find({ userId });
  if (user === null) throw new ServiceError('AUTH_INVALID_CREDENTIALS');
  return enter(dependencies, user, cookie === true, origin);
}

async function enter(
  dependencies: SessionDependencies & {
    readonly store: Pick<Store, 'consoleSessions' | 'audit' | 'identities'>;
  },
  user: UserFacts,
  byCookie: boolean,
  origin: LoginOrigin,
): Promise<LoggedIn> {
  // Whom a provider has switched off must not come in by another door.
  if ((await dependencies.store.identities.providerOf(user.userId)) !== null) {
    throw new ServiceError('AUTH_PROVIDER_REQUIRED');
  }
  await recordLogin(dependencies.store, user, origin);
  if (byCookie) {
    const session = await openCookieSession(dependencies.store, user, origin);
    return { body: sessionView(user, session), secret: session.secret };
  }
  const token = await openTokenSession(dependencies, user, origin);
  return { body: tokenView(user, token), secret: null };
}

export async function recordLogin(
  { audit }: Pick<Store, 'audit'>,
  { userId, organizationId }: UserFacts,
  { address, userAgent, traceId = null }: LoginOrigin,
  details: { readonly provider?: string } = {},
): Promise<void> {
  await audit.record({
    actor: { kind: 'console_user', id: String(userId), address, userAgent, traceId },
    organizationId,
    act: 'user.log_in',
    details,
  });
}

function tokenView(user: UserFacts, token: string): LoginResponse {
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: CONSOLE_TOKEN_SECONDS,
    user: { user_id: user.userId, email: user.email, name: user.name },
    organization: {
      organization_id: user.organizationId,
      name: user.organizationName,
      role: user.role,
    },
  };
}
