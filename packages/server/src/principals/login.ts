import type { LoginRequest, LoginResponse } from '@changgu/contract/schemas';
import type { Tokens } from '../crypto/signing-keys.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import { provePassword } from './prove-password.ts';

/** Life of a console token: eight hours, no refresh. */
export const CONSOLE_TOKEN_SECONDS = 28_800;

interface LoginDependencies {
  readonly store: Pick<Store, 'users' | 'loginAttempts'>;
  readonly tokens: Pick<Tokens, 'issue'>;
}

/** Addresses are the same whatever their case. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * Exchanges email and password for a token. An unknown email and a wrong password cost the same work
 * and get the same answer.
 * @throws ServiceError AUTH_INVALID_CREDENTIALS, RATE_LIMITED
 */
export async function login(
  { store, tokens }: LoginDependencies,
  request: LoginRequest,
  address: string,
): Promise<LoginResponse> {
  const email = normalizeEmail(request.email);
  const user = await provePassword(store, email, request.password, address);
  if (user === null) throw new ServiceError('AUTH_INVALID_CREDENTIALS');
  const { token } = await tokens.issue(
    { kind: 'console_user', userId: String(user.userId), passwordEpoch: user.passwordEpoch },
    CONSOLE_TOKEN_SECONDS,
  );
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
