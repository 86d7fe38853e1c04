import type {
  ConsentRecord,
  ConsentRequest,
  DeletionCancelRequest,
  DeletionCancelResponse,
  DeletionRequest,
  DeletionResponse,
  EmailVerifyRequest,
  EmailVerifyResponse,
  EnvAccessListResponse,
  EnvAccessRecord,
  EnvAccessRequest,
  HandoffExchangeRequest,
  HandoffExchangeResponse,
  LinkSentResponse,
  LoginRequest,
  LoginResponse,
  LogoutRequest,
  LogoutResponse,
  PasswordChangeRequest,
  PasswordChangeResponse,
  PasswordResetConfirmRequest,
  PasswordResetConfirmResponse,
  PasswordResetRequest,
  RegisterRequest,
  RegisterResponse,
  SessionEndResponse,
  SessionListResponse,
  SessionResponse,
} from '@changgu/contract';
import type { Caller } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import { InvalidResponseError } from '../errors/transport-errors.ts';
import type { Camelized } from '../wire-case.ts';

export interface Registration extends Camelized<RegisterRequest> {}
export interface RegisteredAccount extends Camelized<RegisterResponse> {}
/** A session cookie is for browsers, where this client does not run. */
export interface LoginDetails extends Camelized<Omit<LoginRequest, 'cookie'>> {}
export interface ConsoleSession extends Camelized<LoginResponse> {}
export interface CurrentSession extends Camelized<SessionResponse> {}
export interface LogoutDetails extends Camelized<LogoutRequest> {}
export interface LoggedOut extends Camelized<LogoutResponse> {}
export interface SessionList extends Camelized<SessionListResponse> {}
export interface SessionEnded extends Camelized<SessionEndResponse> {}
export interface PasswordChange extends Camelized<PasswordChangeRequest> {}
export interface PasswordChanged extends Camelized<PasswordChangeResponse> {}
export interface PasswordResetDetails extends Camelized<PasswordResetRequest> {}
export interface PasswordResetConfirmation extends Camelized<PasswordResetConfirmRequest> {}
export interface PasswordReset extends Camelized<PasswordResetConfirmResponse> {}
export interface EmailVerification extends Camelized<EmailVerifyRequest> {}
export interface EmailVerified extends Camelized<EmailVerifyResponse> {}
export interface LinkRequested extends Camelized<LinkSentResponse> {}
export interface DeletionDetails extends Camelized<DeletionRequest> {}
export interface Deletion extends Camelized<DeletionResponse> {}
export interface DeletionCancelDetails extends Camelized<DeletionCancelRequest> {}
export interface DeletionCanceled extends Camelized<DeletionCancelResponse> {}
export interface ConsentDetails extends Camelized<ConsentRequest> {}
export interface Consent extends Camelized<ConsentRecord> {}
export interface EnvAccessDetails extends Camelized<EnvAccessRequest> {}
export interface EnvAccess extends Camelized<EnvAccessRecord> {}
export interface EnvAccessList extends Camelized<EnvAccessListResponse> {}
export interface HandoffExchange extends Camelized<HandoffExchangeRequest> {}
export interface HandoffKey extends Camelized<HandoffExchangeResponse> {}

/** A person's account at the console. All but register, login and exchangeHandoff need a console token. */
export class Account {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Registers a person and an organization. Both agreements must be given. */
  register(body: Registration, options?: RequestOptions): Promise<RegisteredAccount> {
    return this.#caller.call('register', { body }, options);
  }

  /** Logs in for eight hours; pass `accessToken` on as `token`. @throws AuthenticationError */
  async login(body: LoginDetails, options?: RequestOptions): Promise<ConsoleSession> {
    return withToken(await this.#caller.call('login', { body }, options));
  }

  /** Who is logged in. */
  async session(options?: RequestOptions): Promise<CurrentSession> {
    const session = await this.#caller.call('readSession', {}, options);
    // The answer to a request without credentials, and this client always sends some.
    if (session === undefined) throw new InvalidResponseError(204, 'it holds no session');
    return session;
  }

  /** Ends this session, or with `everywhere` all of the user; the token is void at once. */
  logout(body: LogoutDetails = {}, options?: RequestOptions): Promise<LoggedOut> {
    return this.#caller.call('logout', { body }, options);
  }

  /** The open sessions of the user, newest first. */
  listSessions(options?: RequestOptions): Promise<SessionList> {
    return this.#caller.call('listSessions', {}, options);
  }

  /** Ends one session of the user. */
  endSession(sessionId: string, options?: RequestOptions): Promise<SessionEnded> {
    return this.#caller.call('endSession', { path: { sessionId } }, options);
  }

  /**
   * Changes the password. Every session opened before ends; the answer holds a new token.
   * @see docs/specification/people-and-roles.md#d89
   */
  async changePassword(body: PasswordChange, options?: RequestOptions): Promise<PasswordChanged> {
    return withToken(await this.#caller.call('changePassword', { body }, options));
  }

  /** Sends a link that resets the password. The answer does not say whether the address is known. */
  requestPasswordReset(
    body: PasswordResetDetails,
    options?: RequestOptions,
  ): Promise<LinkRequested> {
    return this.#caller.call('requestPasswordReset', { body }, options);
  }

  /** Chooses a new password with the token of a reset link. Every session ends. */
  confirmPasswordReset(
    body: PasswordResetConfirmation,
    options?: RequestOptions,
  ): Promise<PasswordReset> {
    return this.#caller.call('confirmPasswordReset', { body }, options);
  }

  /** Confirms the e-mail address with the token of the link that was sent to it. */
  verifyEmail(body: EmailVerification, options?: RequestOptions): Promise<EmailVerified> {
    return this.#caller.call('verifyEmail', { body }, options);
  }

  /** Sends that link again. */
  requestEmailVerification(options?: RequestOptions): Promise<LinkRequested> {
    return this.#caller.call('requestEmailVerification', {}, options);
  }

  /**
   * Asks for the account to be deleted, seven days from now.
   * @see docs/specification/people-and-roles.md#d90
   */
  requestDeletion(body: DeletionDetails, options?: RequestOptions): Promise<Deletion> {
    return this.#caller.call('requestDeletion', { body }, options);
  }

  /** Withdraws a deletion request. */
  cancelDeletion(
    requestUuid: string,
    body: DeletionCancelDetails,
    options?: RequestOptions,
  ): Promise<DeletionCanceled> {
    return this.#caller.call('cancelDeletion', { path: { requestUuid }, body }, options);
  }

  /**
   * Records that a consent is granted or revoked. A revoked required one blocks new jobs.
   * @see docs/specification/people-and-roles.md#d94
   */
  recordConsent(body: ConsentDetails, options?: RequestOptions): Promise<Consent> {
    return this.#caller.call('recordConsent', { body }, options);
  }

  /** Asks for access to real_test. */
  requestEnvAccess(body: EnvAccessDetails, options?: RequestOptions): Promise<EnvAccess> {
    return this.#caller.call('requestEnvAccess', { body }, options);
  }

  /** The environment-access requests of the organization, newest first. */
  listEnvAccess(options?: RequestOptions): Promise<EnvAccessList> {
    return this.#caller.call('listEnvAccess', {}, options);
  }

  /** Exchanges a handoff token for a client id and secret, once. Needs no credentials. */
  exchangeHandoff(body: HandoffExchange, options?: RequestOptions): Promise<HandoffKey> {
    return this.#caller.call('exchangeHandoff', { body }, options);
  }
}

/** Only a browser that asked for a cookie gets an answer without a token. */
function withToken<Answer extends object>(
  answer: Answer,
): Extract<Answer, { readonly accessToken: string }> {
  if (!hasToken(answer))
    throw new InvalidResponseError(200, 'it holds no access_token', { retryable: false });
  return answer;
}

function hasToken<Answer extends object>(
  answer: Answer,
): answer is Extract<Answer, { readonly accessToken: string }> {
  return 'accessToken' in answer;
}
