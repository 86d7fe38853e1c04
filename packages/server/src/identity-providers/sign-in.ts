import { randomBytes } from 'node:crypto';
import type { Registration } from '@changgu/contract';
import type { PasskeyProof } from '@changgu/contract/schemas';
import { hashPassword } from '../crypto/password.ts';
import type { Vault } from '../crypto/vault.ts';
import { type PasskeyDependencies, provePasskey } from '../principals/passkeys.ts';
import { proveSecondFactor } from '../principals/prove-password.ts';
import { secondProof } from '../principals/second-factor.ts';
import { assertRegistrationOpen } from '../rules/organizations/registration.ts';
import { type RequestOrigin, userActor } from '../rules/principals/actor.ts';
import {
  decideVouchedLogin,
  type OfferedMembership,
  plainName,
  verifiedAddress,
  vouchesForFactor,
} from '../rules/principals/vouched-login.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import type { UserFacts } from '../store/people/users.ts';
import { type Attempts, createAttempts, type Stage, type Target } from './attempts.ts';
import type { ProviderClient, VouchedLogin } from './provider-client.ts';
import { openVouchedSession } from './vouched-session.ts';

export interface SignInDependencies {
  readonly store: Pick<
    Store,
    | 'audit'
    | 'consoleSessions'
    | 'factors'
    | 'identities'
    | 'loginAttempts'
    | 'signInAttempts'
    | 'users'
    | 'vouchedSessions'
  >;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly clock: { readonly realNow: () => number };
  readonly passkeys: PasskeyDependencies;
  readonly clients: ReadonlyMap<string, ProviderClient>;
  readonly registration: Registration;
}

/** What a browser brings: its cookie, and where it comes from. */
export interface Visitor {
  readonly provider: string;
  readonly secret: string | null;
  readonly origin: RequestOrigin;
}

/** A question that is asked on a page of ours before the login is done. */
export type Question =
  | {
      readonly kind: 'join';
      readonly email: string;
      readonly name: string;
      readonly invitation: OfferedMembership;
    }
  | { readonly kind: 'factor'; readonly email: string };

export type Progress =
  | { readonly kind: 'entered'; readonly sessionSecret: string; readonly target: Target }
  | { readonly kind: 'asked'; readonly question: Question; readonly attemptSecret: string };

export interface Answers {
  readonly name?: string;
  readonly agreed: boolean;
  readonly code?: string;
  readonly passkey?: PasskeyProof;
}

/** Logins at identity providers. */
export interface ProviderSignIn {
  /** @throws ServiceError RESOURCE_NOT_FOUND, AUTH_PROVIDER_UNAVAILABLE */
  begin(
    provider: string,
    target: Target,
  ): Promise<{ readonly location: string; readonly attemptSecret: string }>;
  /**
   * With what the provider answered.
   * @throws ServiceError LINK_INVALID when the login did not begin here, AUTH_PROVIDER_REFUSED, AUTH_PROVIDER_UNAVAILABLE,
   * REGISTRATION_CLOSED
   */
  finish(visitor: Visitor, query: string): Promise<Progress>;
  /** @throws ServiceError LINK_INVALID */
  question(visitor: Visitor): Promise<Question>;
  /**
   * @throws ServiceError LINK_INVALID, CONSENT_REQUIRED, REGISTRATION_CLOSED, FACTOR_CODE_INVALID, PASSKEY_INVALID,
   * RATE_LIMITED
   */
  answer(visitor: Visitor, answers: Answers): Promise<Progress>;
}

export function createProviderSignIn(dependencies: SignInDependencies): ProviderSignIn {
  const attempts = createAttempts(dependencies);
  const parts = { ...dependencies, attempts };
  return {
    async begin(provider, target) {
      const { location, secrets } = await clientOf(dependencies, provider).begin();
      const attempt = { stage: 'away', provider, target, secrets } as const;
      return { location, attemptSecret: await attempts.save(attempt) };
    },

    async finish(visitor, query) {
      const attempt = await attempts.take(visitor.secret);
      if (attempt?.stage !== 'away' || attempt.provider !== visitor.provider) throw ended();
      const client = clientOf(dependencies, visitor.provider);
      const login = await client.finish(query, attempt.secrets);
      try {
        return await proceed(parts, { ...visitor, login, target: attempt.target });
      } catch (refusal) {
        await recordRefusal(parts, visitor, refusal);
        throw refusal;
      }
    },

    async question(visitor) {
      const attempt = await attempts.look(visitor.secret);
      if (attempt === null || attempt.stage === 'away') throw ended();
      return questionOf(parts, attempt);
    },

    async answer(visitor, answers) {
      const attempt = await attempts.look(visitor.secret);
      if (attempt === null || attempt.provider !== visitor.provider) throw ended();
      if (attempt.stage === 'join') return join(parts, visitor, attempt, answers);
      if (attempt.stage === 'factor') return prove(parts, visitor, attempt, answers);
      throw ended();
    },
  };
}

type Parts = SignInDependencies & { readonly attempts: Attempts };
type Arrival = Visitor & { readonly login: VouchedLogin; readonly target: Target };

function clientOf({ clients }: Pick<SignInDependencies, 'clients'>, name: string): ProviderClient {
  const client = clients.get(name);
  if (client === undefined) throw new ServiceError('RESOURCE_NOT_FOUND');
  return client;
}

function ended(): ServiceError {
  return new ServiceError('LINK_INVALID');
}

function identityOf({ provider, login }: { provider: string; login: VouchedLogin }) {
  const { issuer, tokens } = login;
  return { provider, issuer, subject: tokens.subject, ...verifiedAddress(login) };
}

async function proceed(parts: Parts, arrival: Arrival): Promise<Progress> {
  const { store, attempts } = parts;
  const { login, provider, target, origin } = arrival;
  const identity = identityOf(arrival);
  if (target.kind === 'pin') {
    const actor = userActor(target.userId, origin);
    const user = await store.identities.pin({ ...identity, userId: target.userId, actor });
    return enter(parts, arrival, user);
  }
  const decision = decideVouchedLogin(await store.identities.find(identity));
  if (decision.kind === 'enter') return enterOrAsk(parts, arrival, decision.user);
  assertRegistrationOpen(parts.registration, 'invited');
  const { invitation } = decision;
  const attempt = { stage: 'join', provider, target, login, invitationId: invitation.id } as const;
  const question = {
    kind: 'join',
    email: identity.email,
    name: nameOf(login),
    invitation,
  } as const;
  return { kind: 'asked', question, attemptSecret: await attempts.save(attempt) };
}

/** The second factor is ours to ask for, unless the operator trusts the provider with it and it vouches. */
async function enterOrAsk(parts: Parts, arrival: Arrival, user: UserFacts): Promise<Progress> {
  const { hasFactor } = await parts.store.factors.proofs(user.userId);
  if (!hasFactor || isFactorVouched(parts, arrival)) return enter(parts, arrival, user);
  const { provider, target, login } = arrival;
  const attempt = { stage: 'factor', provider, target, login, userId: user.userId } as const;
  const question = { kind: 'factor', email: user.email } as const;
  return { kind: 'asked', question, attemptSecret: await parts.attempts.save(attempt) };
}

function isFactorVouched(parts: Parts, { provider, login }: Pick<Arrival, 'provider' | 'login'>) {
  return vouchesForFactor(clientOf(parts, provider).provider.trustedFactor, login);
}

async function enter(parts: Parts, arrival: Arrival, user: UserFacts): Promise<Progress> {
  const { provider, login, origin, target } = arrival;
  const factor = isFactorVouched(parts, arrival);
  const opening = { provider, login, factor };
  const sessionSecret = await openVouchedSession(parts, user, opening, origin);
  return { kind: 'entered', sessionSecret, target };
}

async function questionOf(
  { store }: Parts,
  attempt: Stage<'join'> | Stage<'factor'>,
): Promise<Question> {
  const identity = identityOf(attempt);
  if (attempt.stage === 'factor') {
    const user = await store.users.find({ userId: attempt.userId });
    if (user === null) throw ended();
    return { kind: 'factor', email: user.email };
  }
  const { invitation } = await store.identities.find(identity);
  if (invitation?.id !== attempt.invitationId) throw ended();
  return { kind: 'join', email: identity.email, name: nameOf(attempt.login), invitation };
}

/** The person agrees to the terms, as everyone who joins does. */
async function join(
  parts: Parts,
  visitor: Visitor,
  attempt: Stage<'join'>,
  answers: Answers,
): Promise<Progress> {
  // Registration may have been closed since the question was asked.
  assertRegistrationOpen(parts.registration, 'invited');
  if (!answers.agreed) throw new ServiceError('CONSENT_REQUIRED');
  if ((await parts.attempts.take(visitor.secret)) === null) throw ended();
  const user = await parts.store.identities.join({
    ...identityOf(attempt),
    invitationId: attempt.invitationId,
    name: answers.name ?? nameOf(attempt.login),
    // Of a random password that is not stored: the account opens by this identity alone.
    passwordHash: await hashPassword(randomBytes(32).toString('base64url')),
    origin: visitor.origin,
  });
  return enter(parts, { ...visitor, ...attempt }, user);
}

async function prove(
  parts: Parts,
  visitor: Visitor,
  attempt: Stage<'factor'>,
  { code, passkey }: Answers,
): Promise<Progress> {
  const { store, passkeys, attempts } = parts;
  // The domain may have been disallowed, or the identity unpinned, since the question was asked.
  const decision = decideVouchedLogin(await store.identities.find(identityOf(attempt)));
  if (decision.kind !== 'enter' || decision.user.userId !== attempt.userId) throw ended();
  const { user } = decision;
  const { origin } = visitor;
  const signer = passkey && (() => provePasskey(passkeys, passkey, origin));
  await proveSecondFactor(store, user, origin, secondProof(parts, code ?? '', signer));
  if ((await attempts.take(visitor.secret)) === null) throw ended();
  return enter(parts, { ...visitor, ...attempt }, user);
}

/** What the provider calls the person, or the part before the @. */
function nameOf({ name, email }: VouchedLogin): string {
  return plainName(name ?? '') || plainName(email?.split('@', 1)[0] ?? '');
}

async function recordRefusal({ store }: Parts, { provider, origin }: Visitor, refusal: unknown) {
  if (!(refusal instanceof ServiceError)) return;
  await store.audit.record({
    actor: { kind: 'system', id: 'login', ...origin },
    organizationId: null,
    act: 'identity.refuse',
    details: { provider, code: refusal.code },
  });
}
