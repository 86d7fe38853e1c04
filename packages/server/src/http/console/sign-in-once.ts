import type { IncomingHttpHeaders } from 'node:http';
import { sameText } from '../../crypto/same-secret.ts';
import { ServiceError } from '../../rules/service-error.ts';
import type { HttpApp } from '../app.ts';

/** Signs the demo owner in, once. `dev` only, which listens on loopback alone. */
export interface SignInOnce {
  readonly token: string;
  readonly email: string;
  readonly password: string;
}

/** Performs the login as the person would, including the Origin check and the session cookie. */
export function signInOnceRoute(app: HttpApp, folder: string, once: SignInOnce): void {
  const { token, email, password } = once;
  let isUsed = false;
  const url = `${folder}/sign-in-once`;
  app.routes.add('POST', url);
  app.fastify.post(url, async ({ body, headers }, reply) => {
    if (isUsed || !sameText(tokenIn(body), token))
      throw new ServiceError('AUTH_INVALID_CREDENTIALS');
    isUsed = true;
    const login = await app.fastify.inject({
      method: 'POST',
      url: '/v1/auth/login',
      headers: { ...passedOn(headers), 'content-type': 'application/json' },
      payload: JSON.stringify({ email, password, cookie: true }),
    });
    const cookie = login.headers['set-cookie'];
    if (cookie !== undefined) reply.header('set-cookie', cookie);
    return reply.status(login.statusCode).type('application/json; charset=utf-8').send(login.body);
  });
}

function passedOn(headers: IncomingHttpHeaders): Record<string, string> {
  const names = ['host', 'origin', 'user-agent'] as const;
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
}

function tokenIn(body: unknown): string {
  const sent = typeof body === 'object' && body !== null && 'token' in body ? body.token : null;
  return typeof sent === 'string' ? sent : '';
}
