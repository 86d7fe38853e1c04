import type { HttpApp } from '../app.ts';
import { PASSKEY_SCRIPT } from './passkey-form.ts';

const URL_PATTERN = '/v1/auth/passkey.js';

/** The one script of the pages that the server makes. */
export function passkeyScriptRoute(app: HttpApp): void {
  app.routes.add('GET', URL_PATTERN);
  app.fastify.get(URL_PATTERN, (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cross-origin-resource-policy', 'same-origin')
      .send(PASSKEY_SCRIPT),
  );
}
