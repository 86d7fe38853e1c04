import { operations } from '@changgu/contract/schemas';
import type { CoreDependencies } from '../../core.ts';
import { register } from '../../organizations/register.ts';
import { login } from '../../principals/login.ts';
import { type RecoveryDependencies, welcomeByMail } from '../../principals/recover.ts';
import {
  assertRegistrationOpen,
  type Registration,
} from '../../rules/organizations/registration.ts';
import type { HttpApp } from '../app.ts';
import { loginOrigin } from '../login-origin.ts';
import { route } from '../route.ts';
import type { SessionCookies } from '../session-cookies.ts';

/** Guesses are limited per address before they cost a password hash. */
const guesses = { limitAddress: true };

interface AuthDependencies extends Pick<CoreDependencies, 'store' | 'tokens' | 'vault' | 'clock'> {
  readonly cookies: SessionCookies;
  readonly recovery: RecoveryDependencies;
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
    async ({ body, traceId }) => {
      assertRegistrationOpen(registration);
      const registered = await register(core.store, body, traceId);
      await welcomeByMail(core.recovery, registered.email);
      return { status: 201, body: registered };
    },
    guesses,
  );
  route(
    app,
    loginOperation,
    async (request) => {
      // Otherwise another site could log a browser in as a different user.
      if (request.body.cookie === true) cookies.assertOwnOrigin(request);
      const { body, secret } = await login(core, request.body, loginOrigin(request));
      const headers = secret === null ? {} : { 'set-cookie': cookies.set(request, secret) };
      return { status: 200, body, headers };
    },
    guesses,
  );
}
