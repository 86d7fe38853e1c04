import type { Clock } from '../../clock.ts';
import { DAY_MS } from '../../rules/durations.ts';
import type { HttpApp } from '../app.ts';

/** The standard asks for less than a year, so that an abandoned address does not stay trusted. */
const VALID_DAYS = 180;

/** `/.well-known/security.txt` (RFC 9116): where to report a vulnerability in this server. */
export function securityTxtRoute(
  app: HttpApp,
  contact: string,
  { clock, publicBaseUrl }: { readonly clock: Clock; readonly publicBaseUrl: () => string },
): void {
  const path = '/.well-known/security.txt';
  app.routes.add('GET', path);
  app.fastify.get(path, async (_request, reply) => {
    const expires = new Date(clock.realNow() + VALID_DAYS * DAY_MS).toISOString();
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${expires}`,
      'Preferred-Languages: ko, en',
      `Canonical: ${new URL(path, publicBaseUrl()).href}`,
    ];
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'max-age=86400')
      .send(`${lines.join('\n')}\n`);
  });
}
