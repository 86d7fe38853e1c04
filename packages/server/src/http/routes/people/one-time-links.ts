import type { Registration } from '@changgu/contract';
import { operations } from '@changgu/contract/schemas';
import type { CoreDependencies } from '../../../core.ts';
import { acceptInvitation } from '../../../organizations/invitations.ts';
import type { PasskeyDependencies } from '../../../principals/passkeys.ts';
import type { PasswordCheck } from '../../../principals/password-check.ts';
import {
  confirmPasswordReset,
  type RecoveryDependencies,
  requestPasswordReset,
  requestVerification,
  verifyEmail,
} from '../../../principals/recover.ts';
import type { HttpApp } from '../../app.ts';
import { route } from '../../route.ts';

interface LinkRouteDependencies
  extends Pick<CoreDependencies, 'store' | 'vault' | 'clock'>,
    Omit<RecoveryDependencies, 'store'> {
  readonly registration: Registration;
  readonly passwordCheck: PasswordCheck;
  readonly passkeys: PasskeyDependencies;
}

/** Guesses are limited per address before they cost any work. */
const guesses = { limitAddress: true };

/** Requesting and redeeming one-time links. */
export function oneTimeLinkRoutes(app: HttpApp, dependencies: LinkRouteDependencies): void {
  const { oneTimeLinks: links } = operations;
  const { store } = dependencies;
  route(
    app,
    links.acceptInvitation,
    async ({ body, origin }) => ({
      status: 200,
      body: await acceptInvitation(dependencies, body, origin),
    }),
    guesses,
  );
  route(
    app,
    links.verifyEmail,
    async ({ body, origin }) => ({
      status: 200,
      body: await verifyEmail(store, body.token, origin),
    }),
    guesses,
  );
  route(
    app,
    links.requestPasswordReset,
    async ({ body }) => ({
      status: 202,
      body: await requestPasswordReset(dependencies, body.email),
    }),
    guesses,
  );
  route(
    app,
    links.confirmPasswordReset,
    async ({ body, origin }) => ({
      status: 200,
      body: await confirmPasswordReset(dependencies, body, origin),
    }),
    guesses,
  );
  route(app, links.requestEmailVerification, async ({ principal }) => ({
    status: 202,
    body: await requestVerification(dependencies, principal),
  }));
}
