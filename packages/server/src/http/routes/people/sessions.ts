import type { Registration } from '@changgu/contract';
import { operations } from '@changgu/contract/schemas';
import type { CoreDependencies } from '../../../core.ts';
import type { ConfiguredProvider } from '../../../identity-providers/configured-provider.ts';
import {
  endSession,
  listSessions,
  logout,
  readSession,
} from '../../../principals/console-sessions.ts';
import type { HttpApp } from '../../app.ts';
import { route } from '../../route.ts';
import type { SessionCookies } from '../../session-cookies.ts';

interface SessionRouteDependencies extends Pick<CoreDependencies, 'store'> {
  readonly cookies: SessionCookies;
  /** Where a session logs out at its identity provider. */
  readonly logoutAddress: (sessionId: string) => Promise<string | null>;
  readonly identityProviders: readonly ConfiguredProvider[];
  readonly registration: Registration;
}

/** A console user's sessions. */
export function sessionRoutes(
  app: HttpApp,
  { store, cookies, logoutAddress, identityProviders, registration }: SessionRouteDependencies,
): void {
  const { sessions } = operations;
  route(app, sessions.readSession, async ({ principal }) =>
    principal === null
      ? { status: 204, body: null }
      : { status: 200, body: await readSession(store, principal) },
  );
  route(app, sessions.listIdentityProviders, async () => ({
    status: 200,
    body: {
      items: identityProviders.map(({ name, label }) => ({ provider: name, label })),
      registration,
    },
  }));
  route(app, sessions.logout, async (request) => {
    const { principal, body, origin } = request;
    return {
      status: 200,
      body: await logout(store, principal, body?.everywhere ?? false, origin, logoutAddress),
      headers: principal.session?.csrfToken ? { 'set-cookie': cookies.clear(request) } : {},
    };
  });
  route(app, sessions.listSessions, async ({ principal }) => ({
    status: 200,
    body: await listSessions(store, principal),
  }));
  route(app, sessions.endSession, async ({ principal, params, origin }) => ({
    status: 200,
    body: await endSession(store, principal, params.session_id, origin),
  }));
}
