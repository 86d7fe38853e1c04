import type { OrganizationRole } from '@changgu/contract';
import { normalizeEmail } from '../identity/email.ts';
import { ServiceError } from '../service-error.ts';

/** What an identity provider says about a person. */
export interface Vouched {
  readonly email: string | null;
  readonly emailVerified: boolean;
  /** How the person was authenticated there (RFC 8176), and how well. */
  readonly amr: readonly string[];
  readonly acr: string | null;
}

/** What we know about an identity and its address. */
export interface VouchedRows<User> {
  /** It is pinned to a user, who may be switched off. */
  readonly isKnown: boolean;
  readonly user: User | null;
  /** The provider may vouch for the address in the organization of the user. */
  readonly mayVouch: boolean;
  /** The address has an account that the provider may vouch for, and that is not pinned to this identity. */
  readonly hasAccount: boolean;
  readonly invitation: OfferedMembership | null;
}

export interface OfferedMembership {
  readonly id: string;
  readonly organizationName: string;
  readonly role: OrganizationRole;
}

export type VouchedDecision<User> =
  | { readonly kind: 'enter'; readonly user: User }
  | { readonly kind: 'join'; readonly invitation: OfferedMembership };

/**
 * The address in lower case, with its domain.
 * @throws ServiceError AUTH_PROVIDER_REFUSED when the provider has not verified it
 */
export function verifiedAddress({ email, emailVerified }: Vouched): {
  readonly email: string;
  readonly domain: string;
} {
  const address = email === null ? '' : normalizeEmail(email);
  const [local, domain, more] = address.split('@');
  if (!emailVerified || !local || !domain || more !== undefined) {
    throw new ServiceError('AUTH_PROVIDER_REFUSED', { message: UNVERIFIED });
  }
  return { email: address, domain };
}

/**
 * Lets in whom the provider may vouch for: a user who is pinned to the identity, or, once, who was invited. No
 * address becomes an account by itself, and no account is found by its address alone.
 * @throws ServiceError AUTH_PROVIDER_REFUSED
 */
export function decideVouchedLogin<User>(rows: VouchedRows<User>): VouchedDecision<User> {
  const { isKnown, user, mayVouch, hasAccount, invitation } = rows;
  if (isKnown) {
    if (user !== null && mayVouch) return { kind: 'enter', user };
    throw new ServiceError('AUTH_PROVIDER_REFUSED');
  }
  if (hasAccount) throw new ServiceError('AUTH_PROVIDER_REFUSED', { message: UNCONNECTED });
  if (invitation === null) throw new ServiceError('AUTH_PROVIDER_REFUSED', { message: UNINVITED });
  return { kind: 'join', invitation };
}

/** Whose second factor is the provider's business, by how it says that a person was authenticated. */
export interface TrustedFactor {
  readonly amr: readonly string[];
  readonly acr: readonly string[];
}

/** Only what the operator trusts counts: many providers say nothing, and some say what a client wants to hear. */
export function vouchesForFactor(trusted: TrustedFactor, { amr, acr }: Vouched): boolean {
  return amr.some((each) => trusted.amr.includes(each)) || trusted.acr.includes(acr ?? '');
}

const MAX_NAME = 100;

/** A name that was given elsewhere: one line, and not too long. */
export function plainName(text: string): string {
  const plain = text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return Array.from(plain).slice(0, MAX_NAME).join('');
}

const UNVERIFIED = {
  ko: '로그인 제공자가 이메일 주소를 확인해 주지 않았습니다.',
  en: 'The identity provider has not verified your email address.',
};
const UNCONNECTED = {
  ko: '이 주소에는 이미 계정이 있습니다. 비밀번호로 로그인한 다음 계정 화면에서 로그인 제공자를 연결하십시오.',
  en: 'This address has an account already. Sign in with your password, then connect the provider on the account page.',
};
const UNINVITED = {
  ko: '이 주소로 받은 초대가 없습니다. 조직의 관리자에게 초대를 요청하십시오.',
  en: 'There is no invitation for this address. Ask an administrator of your organization for one.',
};
