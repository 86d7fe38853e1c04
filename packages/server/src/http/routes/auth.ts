import type { Registration } from '@changgu/contract';
import { operations } from '@changgu/contract/schemas';
import type { CoreDependencies } from '../../core.ts';
import { register } from '../../organizations/register.ts';
import { type LoggedIn, login, loginWithPasskey } from '../../principals/login.ts';
import { beginProof, type PasskeyDependencies } from '../../principals/passkeys.ts';
import type { PasswordCheck } from '../../principals/password-check.ts';
import { type RecoveryDependencies, welcomeByMail } from '../../principals/recover.ts';
import { assertRegistrationOpen } from '../../rules/organizations/registration.ts';
import type { HttpApp } from '../app.ts';
import { route } from '../route.ts';
import type { CookieRequest, SessionCookies } from '../session-cookies.ts';

/** Guesses are limited per address before they cost a password hash. */
const guesses = { limitAddress: true };

interface AuthDependencies extends Pick<CoreDependencies, 'store' | 'tokens' | 'vault' | 'clock'> {
  readonly cookies: SessionCookies;
  readonly recovery: RecoveryDependencies;
  readonly passkeys: PasskeyDependencies;
  readonly passwordCheck: PasswordCheck;
}

/** Registration and login. */
export function authRoutes(
  app: HttpApp,
  core: AuthDependencies,
  registration: Registration = 'open',
): void {
  const { cookies } = core;
  const { register: registerOperation, login: loginOperation } = operations.account;
  route(
    app,
    registerOperation,
    async ({ body, origin }) => {
      assertRegistrationOpen(registration, 'stranger');
      const registered = await register(core, body, origin);
      await welcomeByMail(core.recovery, registered.email);
      return { status: 201, body: registered };
    },
    guesses,
  );
  route(
    app,
    loginOperation,
    async (request) => {
      assertOwnBrowser(cookies, request);
      return entered(cookies, request, await login(core, request.body, request.origin));
    },
    guesses,
  );
  route(
    app,
    operations.passkeys.beginPasskeyLogin,
    async () => ({ status: 200, body: await beginProof(core.passkeys) }),
    guesses,
  );
  route(
    app,
    operations.passkeys.loginWithPasskey,
    async (request) => {
      assertOwnBrowser(cookies, request);
      const loggedIn = await loginWithPasskey(core, request.body, request.origin);
      return entered(cookies, request, loggedIn);
    },
    guesses,
  );
}

type BrowserRequest = CookieRequest & { readonly body: { readonly cookie?: boolean } };

/** Otherwise another site could log a browser in as a different user. */
function assertOwnBrowser(cookies: SessionCookies, request: BrowserRequest): void {
  if (request.body.cookie === true) cookies.assertOwnOrigin(request);
}

function entered(cookies: SessionCookies, request: CookieRequest, { body, secret }: LoggedIn) {
  const headers = secret === null ? {} : { 'set-cookie': cookies.set(request, secret) };
  return { status: 200 as const, body, headers };
}
