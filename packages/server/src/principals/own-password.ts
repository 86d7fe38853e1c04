import type {
  CookiePasswordChangeResponse,
  PasswordChangeRequest,
  PasswordChangeResponse,
} from '@changgu/contract/schemas';
import { hashPassword } from '../crypto/password.ts';
import { kstTime } from '../rules/kst.ts';
import type { RequestOrigin } from '../rules/principals/actor.ts';
import type { ConsolePrincipal } from '../rules/principals/principal.ts';
import { CONSOLE_TOKEN_SECONDS } from '../rules/principals/session-limits.ts';
import { invalidShape, ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import type { UserFacts } from '../store/people/users.ts';
import {
  openCookieSession,
  openTokenSession,
  type SessionDependencies,
} from './console-sessions.ts';
import type { PasswordCheck } from './password-check.ts';
import { provePassword, proveSecondFactor, type SecondProof } from './prove-password.ts';

type UserStore = Pick<Store, 'users' | 'loginAttempts' | 'audit'>;

/**
 * Asks for the password again before an irreversible act. The holder of a stolen token may guess no more often
 * than at the login. Who logs in at an identity provider has no password here: a login
 * of a moment ago stands for it.
 * @throws ServiceError PASSWORD_MISMATCH, RATE_LIMITED, AUTH_LOGIN_TOO_OLD, AUTH_INVALID_CREDENTIALS
 */
export async function confirmPassword(
  store: UserStore,
  { userId, session, passwordEpoch }: ConsolePrincipal,
  password: string | undefined,
  origin: RequestOrigin,
  second?: SecondProof,
): Promise<UserFacts> {
  const known = await store.users.find({ userId });
  if (known !== null && session !== null && session.vouched !== null) {
    if (session.vouched !== 'just_now') throw new ServiceError('AUTH_LOGIN_TOO_OLD');
    if (second !== undefined) await proveSecondFactor(store, known, origin, second);
    return known;
  }
  if (password === undefined) {
    throw invalidShape([{ loc: ['body', 'password'], msg: 'Field required', type: 'missing' }]);
  }
  const claim = known && { email: known.email, password, epoch: passwordEpoch };
  const user = claim && (await provePassword(store, claim, origin, second));
  if (user === null) throw new ServiceError('PASSWORD_MISMATCH');
  return user;
}

/** The answer to a password change and, for a caller with a cookie, its new value. */
export type PasswordChanged =
  | { readonly body: PasswordChangeResponse; readonly secret: null }
  | { readonly body: CookiePasswordChangeResponse; readonly secret: string };

interface ChangeDependencies extends SessionDependencies {
  readonly store: UserStore & SessionDependencies['store'];
  readonly passwordCheck: PasswordCheck;
}

/**
 * Changes the password and ends every earlier session; the caller gets a new one.
 * @throws ServiceError PASSWORD_MISMATCH, RATE_LIMITED, PASSWORD_POLICY, AUTH_PROVIDER_REQUIRED
 */
export async function changePassword(
  dependencies: ChangeDependencies,
  principal: ConsolePrincipal,
  request: PasswordChangeRequest,
  origin: RequestOrigin,
): Promise<PasswordChanged> {
  const { store, passwordCheck } = dependencies;
  if (principal.session?.vouched) throw new ServiceError('AUTH_PROVIDER_REQUIRED');
  const user = await confirmPassword(store, principal, request.current_password, origin);
  await passwordCheck(request.new_password, user);
  const changed = await store.users.changePassword({
    userId: user.userId,
    organizationId: user.organizationId,
    expectedEpoch: user.passwordEpoch,
    passwordHash: await hashPassword(request.new_password),
    origin,
  });
  // The password was changed in the meantime, so this session is already invalid.
  if (changed === null) throw new ServiceError('AUTH_INVALID_CREDENTIALS');
  const who = { userId: user.userId, passwordEpoch: changed.epoch };
  const changedAt = kstTime(changed.changedAt);
  if (principal.session?.csrfToken) {
    const { secret, csrfToken, expiresAt } = await openCookieSession(store, who, origin);
    const body = { changed_at: changedAt, csrf_token: csrfToken, expires_at: kstTime(expiresAt) };
    return { body, secret };
  }
  const token = await openTokenSession(dependencies, who, origin);
  return {
    body: { changed_at: changedAt, access_token: token, expires_in: CONSOLE_TOKEN_SECONDS },
    secret: null,
  };
}
