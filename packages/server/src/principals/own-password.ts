import type { PasswordChangeRequest, PasswordChangeResponse } from '@changgu/contract/schemas';
import { hashPassword, verifyPassword } from '../crypto/password.ts';
import type { Tokens } from '../crypto/signing-keys.ts';
import { kstTime } from '../kst.ts';
import { ServiceError } from '../service-error.ts';
import type { Store } from '../store/database.ts';
import type { UserFacts } from '../store/users.ts';
import { CONSOLE_TOKEN_SECONDS } from './login.ts';
import { assertPasswordPolicy } from './password-policy.ts';
import type { ConsolePrincipal } from './principal.ts';

type UserStore = Pick<Store, 'users'>;

/**
 * Asks for the password again before something that cannot be undone.
 * @throws ServiceError PASSWORD_MISMATCH
 */
export async function confirmPassword(
  { users }: UserStore,
  { userId }: ConsolePrincipal,
  password: string,
): Promise<UserFacts> {
  const user = await users.find({ userId });
  const proven = await verifyPassword(password, user?.passwordHash ?? null);
  if (user === null || !proven) throw new ServiceError('PASSWORD_MISMATCH');
  return user;
}

/**
 * Changes the password and voids every token issued before (D89).
 * @throws ServiceError PASSWORD_MISMATCH, PASSWORD_POLICY
 */
export async function changePassword(
  { store, tokens }: { readonly store: UserStore; readonly tokens: Pick<Tokens, 'issue'> },
  principal: ConsolePrincipal,
  request: PasswordChangeRequest,
  traceId: string,
): Promise<PasswordChangeResponse> {
  const user = await confirmPassword(store, principal, request.current_password);
  assertPasswordPolicy(request.new_password, user.email);
  const changed = await store.users.changePassword({
    userId: user.userId,
    organizationId: user.organizationId,
    expectedEpoch: user.passwordEpoch,
    passwordHash: await hashPassword(request.new_password),
    traceId,
  });
  // Somebody changed it in the meantime: this token is void already.
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
