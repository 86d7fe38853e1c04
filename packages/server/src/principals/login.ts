import type {
  LoginRequest,
  LoginResponse,
  PasskeyLoginRequest,
  PasskeyProof,
  SessionResponse,
} from '@changgu/contract/schemas';
import { normalizeEmail } from '../rules/identity/email.ts';
import { type RequestOrigin, userActor } from '../rules/principals/actor.ts';
import { CONSOLE_TOKEN_SECONDS } from '../rules/principals/session-limits.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import type { UserFacts } from '../store/people/users.ts';
import {
  type CookieSession,
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

/** What a person enters on a page. */
export type PageLogin =
  | ({ readonly by: 'password' } & Pick<LoginRequest, 'email' | 'password' | 'factor_code'>)
  | { readonly by: 'passkey'; readonly proof: PasskeyProof };

/**
 * Exchanges email and password for a session. An unknown email and a wrong password cost the same work
 * and get the same answer.
 * @throws ServiceError AUTH_INVALID_CREDENTIALS, RATE_LIMITED, AUTH_FACTOR_REQUIRED, FACTOR_CODE_INVALID,
 *   PASSKEY_INVALID, AUTH_PROVIDER_REQUIRED
 */
export async function login(
  dependencies: LoginDependencies,
  request: LoginRequest,
  origin: RequestOrigin,
): Promise<LoggedIn> {
  const user = await userOfPassword(dependencies, request, origin);
  return enter(dependencies, user, request.cookie === true, origin);
}

/**
 * Exchanges a passkey's signature for a session. The authenticator has verified its user, so nothing else is asked.
 * @throws ServiceError AUTH_INVALID_CREDENTIALS, PASSKEYS_UNAVAILABLE, AUTH_PROVIDER_REQUIRED
 */
export async function loginWithPasskey(
  dependencies: PasskeyLoginDependencies,
  { attempt, credential, cookie }: PasskeyLoginRequest,
  origin: RequestOrigin,
): Promise<LoggedIn> {
  const user = await userOfPasskey(dependencies, { attempt, credential }, origin);
  return enter(dependencies, user, cookie === true, origin);
}

/**
 * A login on a page of the service, which keeps a cookie.
 * @throws ServiceError as `login` and `loginWithPasskey`
 */
export async function loginOnPage(
  dependencies: LoginDependencies & PasskeyLoginDependencies,
  entered: PageLogin,
  origin: RequestOrigin,
): Promise<CookieSession> {
  const user =
    entered.by === 'passkey'
      ? await userOfPasskey(dependencies, entered.proof, origin)
      : await userOfPassword(dependencies, entered, origin);
  await admit(dependencies.store, user, origin);
  return openCookieSession(dependencies.store, user, origin);
}

async function userOfPassword(
  dependencies: LoginDependencies,
  { email, password, passkey, factor_code: code }: LoginRequest,
  origin: RequestOrigin,
): Promise<UserFacts> {
  const { store, passkeys } = dependencies;
  const signer = passkeys && passkey && (() => provePasskey(passkeys, passkey, origin));
  const second = secondProof(dependencies, code, signer);
  const claim = { email: normalizeEmail(email), password };
  const user = await provePassword(store, claim, origin, second);
  if (user === null) throw new ServiceError('AUTH_INVALID_CREDENTIALS');
  return user;
}

async function userOfPasskey(
  { store, passkeys }: PasskeyLoginDependencies,
  proof: PasskeyProof,
  origin: RequestOrigin,
): Promise<UserFacts> {
  const userId = await provePasskey(passkeys, proof, origin);
  const user = userId === null ? null : await store.users.find({ userId });
  if (user === null) throw new ServiceError('AUTH_INVALID_CREDENTIALS');
  return user;
}

async function enter(
  dependencies: SessionDependencies & { readonly store: AdmissionStore },
  user: UserFacts,
  byCookie: boolean,
  origin: RequestOrigin,
): Promise<LoggedIn> {
  await admit(dependencies.store, user, origin);
  if (byCookie) {
    const session = await openCookieSession(dependencies.store, user, origin);
    return { body: sessionView(user, session), secret: session.secret };
  }
  const token = await openTokenSession(dependencies, user, origin);
  return { body: tokenView(user, token), secret: null };
}

type AdmissionStore = Pick<Store, 'audit' | 'identities'>;

async function admit(store: AdmissionStore, user: UserFacts, origin: RequestOrigin): Promise<void> {
  // Whom a provider has switched off must not come in by another door.
  if ((await store.identities.providerOf(user.userId)) !== null) {
    throw new ServiceError('AUTH_PROVIDER_REQUIRED');
  }
  await recordLogin(store, user, origin);
}

/** A user came in, by whatever door. */
export async function recordLogin(
  { audit }: Pick<Store, 'audit'>,
  { userId, organizationId }: UserFacts,
  origin: RequestOrigin,
  details: { readonly provider?: string } = {},
): Promise<void> {
  await audit.record({
    actor: userActor(userId, origin),
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
