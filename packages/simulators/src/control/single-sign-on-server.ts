import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import type { SingleSignOn } from '../portal/detours.ts';

/** The site of the single sign-on, on an origin of its own; not yet listening. */
export function singleSignOnServer(sso: SingleSignOn): FastifyInstance {
  const app = fastify({ forceCloseConnections: true });
  app.get<{ Querystring: { return?: string } }>('/authorize', ({ query }, reply) => {
    const target = URL.parse(query.return ?? '');
    // Back to where it came from, and nowhere else.
    if (target?.hostname !== '127.0.0.1') return reply.code(400).send('');
    target.searchParams.set('ticket', sso.issue());
    const cookie = `SSO_TOKEN=${crypto.randomUUID()}; Path=/; HttpOnly`;
    return reply.header('set-cookie', cookie).redirect(target.href, 302);
  });
  return app;
}
