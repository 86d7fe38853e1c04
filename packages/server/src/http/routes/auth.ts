import { operations } from '@changgu/contract/schemas';
import type { CoreDependencies } from '../../core.ts';
import { register } from '../../organizations/register.ts';
import { login } from '../../principals/login.ts';
import {
  assertRegistrationOpen,
  type Registration,
} from '../../rules/organizations/registration.ts';
import type { HttpApp } from '../app.ts';
import { route } from '../route.ts';

/** Guesses are limited per address before they cost a password hash. */
const guesses = { limitAddress: true };

/** Registration and login. */
export function authRoutes(
  app: HttpApp,
  core: Pick<CoreDependencies, 'store' | 'tokens'>,
  registration: Registration = 'open',
): void {
  const { register: registerOperation, login: loginOperation } = operations.account;
  route(
    app,
    registerOperation,
    async ({ body, traceId }) => {
      assertRegistrationOpen(registration);
      return { status: 201, body: await register(core.store, body, traceId) };
    },
    guesses,
  );
  route(
    app,
    loginOperation,
    async ({ body, address }) => ({
      status: 200,
      body: await login(core, body, address),
    }),
    guesses,
  );
}
