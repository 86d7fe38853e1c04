import type { PasswordChangeRequest, PasswordChangeResponse } from '@changgu/contract/schemas';
import { hashPassword } from '../crypto/password.ts';
import type { Tokens } from '../crypto/signing-keys.ts';
import { kstTime } from '../rules/kst.ts';
import { assertPasswordPolicy } from '../rules/principals/password-policy.ts';
import type { ConsolePrincipal } from '../rules/principals/principal.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { UserFacts } from '../store/aggregates/users.ts';
import type { Store } from '../store/database.ts';
import { CONSOLE_TOKEN_SECONDS } from './login.ts';
import { type Origin, provePassword } from './prove-password.ts';

type UserStore = Pick<Store, 'users' | 'loginAttempts'>;

/**
 * Asks for the password again before something that cannot be undone. The holder of a stolen token may
 * guess no more often than at the login.
 * @throws ServiceError PASSWORD_MISMATCH, RATE_LIMITED
 */
export async function confirmPassword(
  store: UserStore,
  { userId }: ConsolePrincipal,
  password: string,
  { address }: Origin,
): Promise<UserFacts> {
  const known = await store.users.find({ userId });
  const user = known && (await provePassword(store, known.email, password, address));
  if (user === null) throw new ServiceError('PASSWORD_MISMATCH');
  return user;
}

/**
 * Changes the password and voids every token issued before.
 * @throws ServiceError PASSWORD_MISMATCH, RATE_LIMITED, PASSWORD_POLICY
 */
export async function changePassword(
  { store, tokens }: { readonly store: UserStore; readonly tokens: Pick<Tokens, 'issue'> },
  principal: ConsolePrincipal,
  request: PasswordChangeRequest,
  origin: Origin,
): Promise<PasswordChangeResponse> {
  const user = await confirmPassword(store, principal, request.current_password, origin);
  assertPasswordPolicy(request.new_password, user.email);
  const changed = await store.users.changePassword({
    userId: user.userId,
    organizationId: user.organizationId,
    expectedEpoch: user.passwordEpoch,
    passwordHash: await hashPassword(request.new_password),
    traceId: origin.traceId,
  });
  // The password was changed in the meantime: this token is already void.
  if (changed === null) throw new ServiceError('AUTH_INVALID_CREDENTIALS');
  const { token } = await tokens.issue(
    { kind: 'console_user', userId: principal.id, passwordEpoch: changed.epoch },
    CONSOLE_TOKEN_SECONDS,
  );
  return {
    changed_at: kstTime(changed.changedAt),
    access_token: token,
    expires_in: CONSOLE_TOKEN_SECONDS,
  };
}
