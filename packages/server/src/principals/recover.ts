import type {
  EmailVerifyResponse,
  LinkSentResponse,
  PasswordResetConfirmRequest,
  PasswordResetConfirmResponse,
} from '@changgu/contract/schemas';
import { hashPassword } from '../crypto/password.ts';
import { type LetterKind, linkOf, type NoticeKind } from '../mail/letters.ts';
import type { PostOffice } from '../mail/post-office.ts';
import { normalizeEmail } from '../rules/identity/email.ts';
import { kstTime } from '../rules/kst.ts';
import type { Actor, RequestOrigin } from '../rules/principals/actor.ts';
import type { ConsolePrincipal } from '../rules/principals/principal.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import { hashEmail, hashOneTimeToken, newOneTimeToken } from './one-time-token.ts';
import type { PasswordCheck } from './password-check.ts';

export interface RecoveryDependencies {
  readonly store: Pick<Store, 'oneTimeLinks' | 'users'>;
  readonly postOffice: PostOffice;
  /** `dev` prints links instead of sending them. */
  readonly tellsLinks: boolean;
}

const ACCEPTED: LinkSentResponse = { status: 'ACCEPTED' };

/**
 * Sends a link to an address. Work, answer and timing are the same whether or not an account has the address.
 * @throws ServiceError MAIL_NOT_CONFIGURED
 */
export async function requestPasswordReset(
  dependencies: RecoveryDependencies,
  email: string,
): Promise<LinkSentResponse> {
  await sendLink(dependencies, 'password_reset', normalizeEmail(email));
  return ACCEPTED;
}

/** @throws ServiceError MAIL_NOT_CONFIGURED, RATE_LIMITED, CONFLICT_STATE when the address is already confirmed */
export async function requestVerification(
  dependencies: RecoveryDependencies,
  { userId }: ConsolePrincipal,
): Promise<LinkSentResponse> {
  const user = await dependencies.store.users.find({ userId });
  if (user === null) throw new ServiceError('AUTH_INVALID_CREDENTIALS');
  if (user.emailVerified) throw new ServiceError('CONFLICT_STATE');
  // Whoever is signed in may know, and would otherwise wait for a message that was not sent.
  if (!(await sendLink(dependencies, 'verify_email', user.email))) throw tooManyLinks();
  return ACCEPTED;
}

function tooManyLinks(): ServiceError {
  return new ServiceError('RATE_LIMITED', {
    retryAfterSeconds: 3_600,
    message: {
      ko: '한 시간 동안 이 주소로 보낼 수 있는 링크를 모두 보냈습니다. 스팸 메일함도 확인하십시오.',
      en: 'This address has been sent as many links as it can be within an hour. Look in the spam folder, too.',
    },
  });
}

/**
 * A link that an operator passes on where no email is sent. It does not prove the address.
 * @throws ServiceError RESOURCE_NOT_FOUND when no account has the address
 */
export async function makeResetLink(
  { oneTimeLinks }: Pick<Store, 'oneTimeLinks'>,
  address: string,
  { publicBaseUrl, operator }: { readonly publicBaseUrl: string; readonly operator: Actor },
): Promise<{ readonly email: string; readonly link: string }> {
  const email = normalizeEmail(address);
  const { token, tokenHash } = newOneTimeToken();
  const request = { tokenHash, email, emailHash: hashEmail(email), letter: null, operator };
  const known = await oneTimeLinks.request({ kind: 'password_reset', ...request });
  if (!known) throw new ServiceError('RESOURCE_NOT_FOUND', { missing: `account ${email}` });
  return { email, link: linkOf('password_reset', publicBaseUrl, token) };
}

/** Returns whether one was sent, which whoever asks for someone else must not learn. */
async function sendLink(
  { store, postOffice, tellsLinks }: RecoveryDependencies,
  kind: Exclude<LetterKind, 'invitation' | NoticeKind>,
  email: string,
): Promise<boolean> {
  if (!postOffice.sends && !tellsLinks) throw new ServiceError('MAIL_NOT_CONFIGURED');
  const { token, tokenHash } = newOneTimeToken();
  // Read for unknown addresses too.
  const user = kind === 'password_reset' ? await store.users.find({ email }) : null;
  const firstProof = user?.emailVerified === false;
  const { letter, link } = await postOffice.write(kind, { to: email, token, firstProof });
  const emailHash = hashEmail(email);
  const isSent = await store.oneTimeLinks.request({ kind, tokenHash, email, emailHash, letter });
  postOffice.hurry();
  if (isSent && letter === null) postOffice.tell(kind, link);
  return isSent;
}

/** The first message to a new account. If it cannot be queued, registration still succeeds. */
export async function welcomeByMail(
  dependencies: RecoveryDependencies,
  email: string,
): Promise<void> {
  if (dependencies.postOffice.sends) await sendLink(dependencies, 'verify_email', email);
}

/** @throws ServiceError LINK_INVALID */
export async function verifyEmail(
  { oneTimeLinks }: Pick<Store, 'oneTimeLinks'>,
  token: string,
  origin: RequestOrigin,
): Promise<EmailVerifyResponse> {
  const tokenHash = hashOneTimeToken(token);
  const { email } = await oneTimeLinks.verifyEmail({ tokenHash, origin });
  return { email, status: 'VERIFIED' };
}

interface ResetDependencies {
  readonly store: Pick<Store, 'oneTimeLinks'>;
  readonly passwordCheck: PasswordCheck;
}

/** @throws ServiceError LINK_INVALID, PASSWORD_POLICY */
export async function confirmPasswordReset(
  { store: { oneTimeLinks }, passwordCheck }: ResetDependencies,
  request: PasswordResetConfirmRequest,
  origin: RequestOrigin,
): Promise<PasswordResetConfirmResponse> {
  const tokenHash = hashOneTimeToken(request.token);
  const email = await oneTimeLinks.emailOf(tokenHash);
  // Checked before the expensive password hash.
  if (email === null) throw new ServiceError('LINK_INVALID');
  await passwordCheck(request.new_password, { email });
  const passwordHash = await hashPassword(request.new_password);
  const { changedAt } = await oneTimeLinks.resetPassword({ tokenHash, passwordHash, origin });
  return { changed_at: kstTime(changedAt) };
}
