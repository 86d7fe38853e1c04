import { verifyPassword } from '../crypto/password.ts';
import type { RequestOrigin } from '../rules/principals/actor.ts';
import { addressKey } from '../rules/principals/address-key.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import type { UserFacts } from '../store/people/users.ts';
import { hashEmail } from './one-time-token.ts';
import { takeTurns } from './take-turns.ts';

/** Who someone says to be. */
export interface PasswordClaim {
  /** Lower case. */
  readonly email: string;
  readonly password: string;
  /** Of the password that the caller's session began with, where there is one. */
  readonly epoch?: number;
}

/** What a user with the right password must additionally prove. */
export type SecondProof = (user: UserFacts) => Promise<'proven' | 'missing' | 'wrong' | 'refused'>;

/**
 * The user with this password, or null. Guesses are limited everywhere a password is asked for, and a guess
 * for an unknown address costs the same work.
 * @throws ServiceError RATE_LIMITED; AUTH_INVALID_CREDENTIALS when the epoch has passed; with a second proof AUTH_FACTOR_REQUIRED, FACTOR_CODE_INVALID and PASSKEY_INVALID
 */
export async function provePassword(
  { users, loginAttempts, audit }: Pick<Store, 'users' | 'loginAttempts' | 'audit'>,
  { email, password, epoch }: PasswordClaim,
  origin: RequestOrigin,
  secondProof?: SecondProof,
): Promise<UserFacts | null> {
  const findUser = () => users.find({ email });
  return guess({ loginAttempts }, email, origin, findUser, async (attempt) => {
    const user = await findUser();
    if (epoch !== undefined && user?.passwordEpoch !== epoch) {
      // The session has ended, and the password was right when it was sent.
      await loginAttempts.withdraw(attempt);
      throw new ServiceError('AUTH_INVALID_CREDENTIALS');
    }
    const proven = await verifyPassword(password, user?.passwordHash ?? null);
    if (user === null || !proven) {
      noteRefusal({ loginAttempts, audit }, user, origin);
      return null;
    }
    await settle({ loginAttempts, audit }, { attempt, user, origin }, await secondProof?.(user));
    return user;
  });
}

/**
 * The second factor alone, of a user whom an identity provider vouches for. Guesses count as those of passwords.
 * @throws ServiceError RATE_LIMITED, AUTH_FACTOR_REQUIRED, FACTOR_CODE_INVALID, PASSKEY_INVALID
 */
export async function proveSecondFactor(
  store: GuessStore,
  user: UserFacts,
  origin: RequestOrigin,
  secondProof: SecondProof,
): Promise<void> {
  const findUser = async () => user;
  await guess(store, user.email, origin, findUser, async (attempt) =>
    settle(store, { attempt, user, origin }, await secondProof(user)),
  );
}

type GuessStore = Pick<Store, 'loginAttempts' | 'audit'>;
type Attempt = Parameters<Store['loginAttempts']['begin']>[0];

/**
 * Those for one email and address wait for each other: one that is not yet decided counts as a failure, and would
 * close the door to others that are right.
 */
function guess<Verdict>(
  { loginAttempts }: Pick<Store, 'loginAttempts'>,
  email: string,
  origin: RequestOrigin,
  findUser: () => Promise<UserFacts | null>,
  decide: (attempt: Attempt) => Promise<Verdict>,
): Promise<Verdict> {
  const emailHash = hashEmail(email);
  const attempt = { emailHash, address: addressKey(origin.address) };
  return takeTurns(loginAttempts, `${emailHash} ${attempt.address}`, async () => {
    await begin({ loginAttempts }, attempt, origin, findUser);
    return decide(attempt);
  });
}

/** Not waited for: how long it takes would tell whether there is such a user. */
function noteRefusal(
  { loginAttempts, audit }: GuessStore,
  user: UserFacts | null,
  origin: RequestOrigin,
): void {
  const refusal = {
    actor: { ...origin, kind: 'system', id: 'login' },
    act: 'password.refuse',
  } as const;
  const noted =
    user === null
      ? // Nothing else bounds these, because there is no end of addresses to guess at.
        loginAttempts.noteLimit({ ...refusal, organizationId: null })
      : audit.record({
          ...refusal,
          organizationId: user.organizationId,
          target: String(user.userId),
        });
  noted.catch(() => {});
}

/** @throws ServiceError RATE_LIMITED */
async function begin(
  { loginAttempts }: Pick<Store, 'loginAttempts'>,
  attempt: Attempt,
  origin: RequestOrigin,
  findUser: () => Promise<UserFacts | null>,
): Promise<void> {
  const retryAfterSeconds = await loginAttempts.begin(attempt);
  if (retryAfterSeconds === null) return;
  const user = await findUser();
  const limit = {
    act: 'password.limit',
    actor: { ...origin, kind: 'system', id: 'login' },
    organizationId: user?.organizationId ?? null,
    ...(user === null ? {} : { target: String(user.userId) }),
  } as const;
  // Not waited for: how long it takes would tell whether there is such a user.
  void loginAttempts.noteLimit(limit).catch(() => {});
  throw new ServiceError('RATE_LIMITED', { retryAfterSeconds });
}

interface Guess {
  readonly attempt: Attempt;
  readonly user: UserFacts;
  readonly origin: RequestOrigin;
}

async function settle(
  { loginAttempts, audit }: GuessStore,
  { attempt, user, origin }: Guess,
  verdict: Awaited<ReturnType<SecondProof>> | undefined,
): Promise<void> {
  switch (verdict) {
    case 'missing':
      // What came before was right, so asking for the code does not count as a guess.
      await loginAttempts.withdraw(attempt);
      throw new ServiceError('AUTH_FACTOR_REQUIRED');
    case 'wrong':
    case 'refused':
      await audit.record({
        actor: { ...origin, kind: 'system', id: 'login' },
        organizationId: user.organizationId,
        act: 'factor.refuse',
        target: String(user.userId),
      });
      throw new ServiceError(verdict === 'wrong' ? 'FACTOR_CODE_INVALID' : 'PASSKEY_INVALID');
    default:
      await loginAttempts.succeed(attempt);
  }
}
