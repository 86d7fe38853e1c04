import type { ServerConfig } from '../config/server-config.ts';
import type { CoreDependencies } from '../core.ts';
import { type AppOptions, createApp, type HttpApp } from '../http/app.ts';
import { createGate } from '../http/gate.ts';
import type { Doors } from './open-doors.ts';

interface AppNeeds extends Pick<AppOptions, 'logger' | 'draining' | 'onAnswered'> {
  readonly core: CoreDependencies;
  readonly doors: Doors;
}

/** The HTTP server, which has no routes yet and does not listen. */
export function openApp(
  config: ServerConfig,
  { refuse, checkAnswers = false }: Pick<AppOptions, 'refuse' | 'checkAnswers'>,
  { core, doors, ...needs }: AppNeeds,
): HttpApp {
  return createApp({
    ...needs,
    gate: createGate({
      verifiers: doors.verifiers,
      cookies: doors.cookies,
      challenge: doors.oauth?.challenge,
      rateLimit: config.rateLimit,
      clock: core.clock,
      onLimited: (origin) =>
        core.store.loginAttempts.noteLimit({
          act: 'address.limit',
          actor: { ...origin, kind: 'system', id: 'authentication' },
          organizationId: null,
        }),
    }),
    trustProxy: config.trustProxy,
    maxConnections: config.maxConnections,
    overHttps: config.publicBaseUrl?.startsWith('https:') ?? false,
    checkAnswers,
    ...(refuse ? { refuse } : {}),
  });
}
