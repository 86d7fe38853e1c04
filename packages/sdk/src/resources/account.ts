import type { Camel } from '@changgu/contract';
import type { Caller } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import { InvalidResponseError } from '../errors/transport-errors.ts';
import { type Reply, reply } from '../request/reply.ts';

export interface Registration extends Camel.RegisterRequest {}
export interface RegisteredAccount extends Camel.RegisterResponse {}
/** A session cookie is for browsers, where this client does not run. */
export interface LoginDetails extends Omit<Camel.LoginRequest, 'cookie'> {}
export interface PasskeyLogin extends Omit<Camel.PasskeyLoginRequest, 'cookie'> {}
export interface IdentityProviderList extends Camel.IdentityProviderListResponse {}
export interface PasskeyChallenge extends Camel.PasskeyOptions {}
export interface ConsoleSession extends Camel.LoginResponse {}
export interface CurrentSession extends Camel.SessionResponse {}
export interface LogoutDetails extends Camel.LogoutRequest {}
export interface LoggedOut extends Camel.LogoutResponse {}
export interface SessionList extends Camel.SessionListResponse {}
export interface SessionEnded extends Camel.SessionEndResponse {}
export interface PasswordChange extends Camel.PasswordChangeRequest {}
export interface PasswordChanged extends Camel.PasswordChangeResponse {}
export interface PasswordResetDetails extends Camel.PasswordResetRequest {}
export interface PasswordResetConfirmation extends Camel.PasswordResetConfirmRequest {}
export interface PasswordReset extends Camel.PasswordResetConfirmResponse {}
export interface EmailVerification extends Camel.EmailVerifyRequest {}
export interface EmailVerified extends Camel.EmailVerifyResponse {}
export interface LinkRequested extends Camel.LinkSentResponse {}
export interface DeletionDetails extends Camel.DeletionRequest {}
export interface Deletion extends Camel.DeletionResponse {}
export interface DeletionList extends Camel.DeletionListResponse {}
export interface DeletionCancelDetails extends Camel.DeletionCancelRequest {}
export interface DeletionCanceled extends Camel.DeletionCancelResponse {}
export interface ConsentDetails extends Camel.ConsentRequest {}
export interface Consent extends Camel.ConsentRecord {}
export interface EnvAccessDetails extends Camel.EnvAccessRequest {}
export interface EnvAccess extends Camel.EnvAccessRecord {}
export interface EnvAccessList extends Camel.EnvAccessListResponse {}
export interface HandoffExchange extends Camel.HandoffExchangeRequest {}
export interface HandoffKey extends Camel.HandoffExchangeResponse {}

/** A person's account at the console. All but register, login and exchangeHandoff need a console token. */
export class Account {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Registers a person and an organization. Both agreements must be given. */
  register(body: Registration, options?: RequestOptions): Reply<RegisteredAccount> {
    return this.#caller.call('register', { body }, options);
  }

  /** Logs in for eight hours; pass `accessToken` on as `token`. @throws AuthenticationError */
  login(body: LoginDetails, options?: RequestOptions): Reply<ConsoleSession> {
    return reply(options, async (noted) =>
      withToken(await this.#caller.call('login', { body }, noted)),
    );
  }

  /** Options for `navigator.credentials.get`: for a login, and wherever a passkey proves a second factor. */
  beginPasskeyLogin(options?: RequestOptions): Reply<PasskeyChallenge> {
    return this.#caller.call('beginPasskeyLogin', {}, options);
  }

  /** Logs in with the browser's answer, for eight hours. @throws AuthenticationError */
  loginWithPasskey(body: PasskeyLogin, options?: RequestOptions): Reply<ConsoleSession> {
    return reply(options, async (noted) =>
      withToken(await this.#caller.call('loginWithPasskey', { body }, noted)),
    );
  }

  /** Where people can log in with a browser, instead of by password. */
  identityProviders(options?: RequestOptions): Reply<IdentityProviderList> {
    return this.#caller.call('listIdentityProviders', {}, options);
  }

  /** Who is logged in. */
  session(options?: RequestOptions): Reply<CurrentSession> {
    // No session is the answer to a request without credentials, which this client never sends.
    return this.#caller.call('readSession', {}, options) as Reply<CurrentSession>;
  }

  /** Ends this session, or with `everywhere` all of the user's; the token becomes invalid at once. */
  logout(body: LogoutDetails = {}, options?: RequestOptions): Reply<LoggedOut> {
    return this.#caller.call('logout', { body }, options);
  }

  /** The open sessions of the user, newest first. */
  listSessions(options?: RequestOptions): Reply<SessionList> {
    return this.#caller.call('listSessions', {}, options);
  }

  /** Ends one session of the user. */
  endSession(sessionId: string, options?: RequestOptions): Reply<SessionEnded> {
    return this.#caller.call('endSession', { path: { sessionId } }, options);
  }

  /**
   * Changes the password. Every earlier session ends; the answer contains a new token.
   * @see docs/specification/people-and-roles.md#d89
   */
  changePassword(body: PasswordChange, options?: RequestOptions): Reply<PasswordChanged> {
    return reply(options, async (noted) =>
      withToken(await this.#caller.call('changePassword', { body }, noted)),
    );
  }

  /** Sends a link that resets the password. The answer does not say whether the address is known. */
  requestPasswordReset(body: PasswordResetDetails, options?: RequestOptions): Reply<LinkRequested> {
    return this.#caller.call('requestPasswordReset', { body }, options);
  }

  /** Sets a new password with the token of a reset link. Every session ends. */
  confirmPasswordReset(
    body: PasswordResetConfirmation,
    options?: RequestOptions,
  ): Reply<PasswordReset> {
    return this.#caller.call('confirmPasswordReset', { body }, options);
  }

  /** Confirms the email address with the token of the link that was sent to it. */
  verifyEmail(body: EmailVerification, options?: RequestOptions): Reply<EmailVerified> {
    return this.#caller.call('verifyEmail', { body }, options);
  }

  /** Sends that link again. */
  requestEmailVerification(options?: RequestOptions): Reply<LinkRequested> {
    return this.#caller.call('requestEmailVerification', {}, options);
  }

  /**
   * Asks for the account to be deleted, seven days from now.
   * @see docs/specification/people-and-roles.md#d90
   */
  requestDeletion(body: DeletionDetails, options?: RequestOptions): Reply<Deletion> {
    return this.#caller.call('requestDeletion', { body }, options);
  }

  /** The user's own open deletion request, if there is one. */
  listDeletions(options?: RequestOptions): Reply<DeletionList> {
    return this.#caller.call('listDeletions', {}, options);
  }

  /** Withdraws a deletion request. */
  cancelDeletion(
    requestUuid: string,
    body: DeletionCancelDetails,
    options?: RequestOptions,
  ): Reply<DeletionCanceled> {
    return this.#caller.call('cancelDeletion', { path: { requestUuid }, body }, options);
  }

  /**
   * Grants or revokes a consent. Revoking a required one blocks new jobs.
   * @see docs/specification/people-and-roles.md#d94
   */
  recordConsent(body: ConsentDetails, options?: RequestOptions): Reply<Consent> {
    return this.#caller.call('recordConsent', { body }, options);
  }

  /** Asks for access to real_test. */
  requestEnvAccess(body: EnvAccessDetails, options?: RequestOptions): Reply<EnvAccess> {
    return this.#caller.call('requestEnvAccess', { body }, options);
  }

  /** The environment-access requests of the organization, newest first. */
  listEnvAccess(options?: RequestOptions): Reply<EnvAccessList> {
    return this.#caller.call('listEnvAccess', {}, options);
  }

  /** Exchanges a handoff token for a client id and secret, once. Needs no credentials. */
  exchangeHandoff(body: HandoffExchange, options?: RequestOptions): Reply<HandoffKey> {
    return this.#caller.call('exchangeHandoff', { body }, options);
  }
}

/** Only a browser that asked for a cookie gets an answer without a token. */
function withToken<Answer extends object>(
  answer: Answer,
): Extract<Answer, { readonly accessToken: string }> {
  if (!hasToken(answer)) throw new InvalidResponseError(200, 'it holds no access_token');
  return answer;
}

function hasToken<Answer extends object>(
  answer: Answer,
): answer is Extract<Answer, { readonly accessToken: string }> {
  return 'accessToken' in answer;
}
