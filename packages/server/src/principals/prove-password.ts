import { createHash } from 'node:crypto';
import { verifyPassword } from '../crypto/password.ts';
import type { Origin as ActOrigin } from '../rules/principals/actor.ts';
import { addressKey } from '../rules/principals/address-key.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { UserFacts } from '../store/aggregates/users.ts';
import type { Store } from '../store/database.ts';

/** Where a request comes from. */
export interface Origin {
  readonly address: string;
  readonly traceId: string;
}

type GuessOrigin = { readonly address: string } & Partial<ActOrigin>;

/** What a user with the right password must additionally prove. */
export type SecondProof = (user: UserFacts) => Promise<'proven' | 'missing' | 'wrong' | 'refused'>;

/** Only what the audit log stores, because an origin may be a whole request. */
function actOrigin({ address, traceId = null, userAgent = null }: GuessOrigin): ActOrigin {
  return { address, traceId, userAgent };
}

/**
 * The user with this password, or null. Guesses are limited everywhere a password is asked for, and a guess
 * for an unknown address costs the same work.
 * @param email lower case
 * @throws ServiceError RATE_LIMITED; with a second proof AUTH_FACTOR_REQUIRED, FACTOR_CODE_INVALID and PASSKEY_INVALID
 */
export async function provePassword(
  { users, loginAttempts, audit }: Pick<Store, 'users' | 'loginAttempts' | 'audit'>,
  email: string,
  password: string,
  origin: GuessOrigin,
  secondProof?: SecondProof,
): Promise<UserFacts | null> {
  const attempt = {
    emailHash: createHash('sha256').update(email).digest('hex'),
    address: addressKey(origin.address),
  };
  const retryAfterSeconds = await loginAttempts.begin(attempt);
  if (retryAfterSeconds !== null) throw new ServiceError('RATE_LIMITED', { retryAfterSeconds });
  const user = await users.find({ email });
  const proven = await verifyPassword(password, user?.passwordHash ?? null);
  if (user === null || !proven) {
    await audit.record({
      actor: { ...actOrigin(origin), kind: 'system', id: 'login' },
      organizationId: user?.organizationId ?? null,
      act: 'password.refuse',
      ...(user === null ? {} : { target: String(user.userId) }),
    });
    return null;
  }
  const verdict = await secondProof?.(user);
  switch (verdict) {
    case 'missing':
      // The password was right, so asking for the code does not count as a guess.
      await loginAttempts.withdraw(attempt);
      throw new ServiceError('AUTH_FACTOR_REQUIRED');
    case 'wrong':
    case 'refused':
      await audit.record({
        actor: { ...actOrigin(origin), kind: 'system', id: 'login' },
        organizationId: user.organizationId,
        act: 'factor.refuse',
        target: String(user.userId),
      });
      throw new ServiceError(verdict === 'wrong' ? 'FACTOR_CODE_INVALID' : 'PASSKEY_INVALID');
    default:
      await loginAttempts.succeed(attempt);
  }
  return user;
}
