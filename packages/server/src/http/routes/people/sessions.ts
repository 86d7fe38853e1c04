import { operations } from '@changgu/contract/schemas';
import type { CoreDependencies } from '../../../core.ts';
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
}

/** A console user's sessions. */
export function sessionRoutes(app: HttpApp, { store, cookies }: SessionRouteDependencies): void {
  const { sessions } = operations;
  route(app, sessions.readSession, async ({ principal }) =>
    principal === null
      ? { status: 204, body: null }
      : { status: 200, body: await readSession(store, principal) },
  );
  route(app, sessions.logout, async (request) => {
    const { principal, body, origin } = request;
    return {
      status: 200,
      body: await logout(store, principal, body?.everywhere ?? false, origin),
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
