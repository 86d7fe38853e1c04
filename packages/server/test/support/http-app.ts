import { pino } from 'pino';
import { type AppOptions, createApp, type HttpApp } from '../../src/http/app.ts';
import { createGate, type GateOptions } from '../../src/http/gate.ts';
import { createSessionCookies } from '../../src/http/session-cookies.ts';
import type { Principal, Verifiers } from '../../src/rules/principals/principal.ts';

export const CLIENT: Extract<Principal, { kind: 'client' }> = {
  kind: 'client',
  id: 'cli_01JD0000000000000000000000',
  organizationId: 1,
  allowedEnvScopes: ['sandbox', 'real_test'],
  integrationProfile: 'standard_external',
  readOnly: false,
  allowedActions: null,
  allowIrreversibleTools: true,
  manageWebhooks: false,
  scopes: null,
};

export const basic = (id = CLIENT.id, secret = 'secret') =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

export const VERIFIERS: Verifiers = {
  client: async (id, secret) => (id === CLIENT.id && secret === 'secret' ? CLIENT : null),
  bearer: async (token) => {
    switch (token) {
      case 'console':
        return {
          kind: 'console_user',
          id: '1',
          userId: 1,
          organizationId: 1,
          role: 'MEMBER',
          mustAddFactor: false,
          passwordEpoch: 1,
          session: null,
        };
      case 'admin':
        return { kind: 'admin_user', id: 'a', email: 'admin@example.com' };
      default:
        return null;
    }
  },
  accessToken: async () => null,
  cookie: async () => null,
  legacyKey: async (key) =>
    key === 'legacy'
      ? { kind: 'legacy_api_key', id: 'k', organizationId: 1, envScope: 'real_test' }
      : null,
};

/** An app without a store behind it: for what HTTP itself answers. */
export function testApp(
  options: Partial<AppOptions> &
    Partial<Pick<GateOptions, 'rateLimit' | 'onLimited' | 'verifiers'>> & { log?: string[] } = {},
): HttpApp {
  const { rateLimit, onLimited, verifiers, log, ...rest } = options;
  const clock = { realNow: () => 1_000_000 };
  return createApp({
    gate: createGate({
      verifiers: verifiers ?? VERIFIERS,
      cookies: createSessionCookies(undefined),
      rateLimit: rateLimit ?? { limit: 1_000, windowSeconds: 60 },
      clock,
      onLimited: onLimited ?? (async () => {}),
    }),
    logger: log
      ? pino({ level: 'info' }, { write: (line: string) => void log.push(line) })
      : pino({ level: 'silent' }),
    draining: new AbortController().signal,
    checkAnswers: true,
    ...rest,
  });
}
