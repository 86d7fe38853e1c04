import type { Bridge } from '../bridge.ts';
import { createServerFactory } from '../server/bridge-server.ts';
import { changeBus } from '../server/changes.ts';
import { createHttpExchange, type HttpExchange } from '../server/http-exchange.ts';
import { bridgeOf, callerKey } from './caller-bridge.ts';
import type { CallerToken } from './caller-token.ts';
import { neededScopes } from './needed-scopes.ts';
import { openResourceServer, type ResourceOptions } from './resource-server.ts';

interface Visit {
  readonly bridge: Bridge;
  readonly exchange: HttpExchange;
}

/** Callers whose state is kept; the least recent one is forgotten first. */
const MAX_CALLERS = 100;

/**
 * Admits callers with OAuth tokens of the service. The bridge's key acts for all of them, so each may do what both
 * the key and its own token allow.
 * @throws SettingError when the service has no OAuth; what the SDK throws when it is unreachable
 */
export async function openOAuthDoor(
  bridge: Bridge,
  options: ResourceOptions,
  onerror: (error: Error) => void,
): Promise<HttpExchange> {
  const { organizationId = 0 } = await bridge.client.membership.me();
  const { envScope } = bridge.settings;
  const guard = await openResourceServer(options, { organizationId, envScope });
  const visits = new Map<string, Visit>();

  function visitOf(caller: CallerToken): Visit {
    const key = callerKey(caller);
    const visit = visits.get(key) ?? newVisit(bridgeOf(bridge, caller), onerror);
    visits.delete(key);
    visits.set(key, visit);
    const [oldest] = visits;
    if (visits.size > MAX_CALLERS && oldest !== undefined) {
      visits.delete(oldest[0]);
      // What it still listens to ends, so that it connects again instead of hearing nothing.
      void oldest[1].exchange.close();
    }
    return visit;
  }

  return {
    async fetch(request) {
      const metadata = guard.metadata(request);
      if (metadata !== undefined) return metadata;
      const caller = await guard.admit(request);
      if (caller instanceof Response) return caller;
      if (new URL(request.url).pathname !== '/mcp') return new Response(null, { status: 404 });
      if (request.method !== 'POST') {
        return new Response(null, { status: 405, headers: { allow: 'POST' } });
      }
      const visit = visitOf(caller);
      const body: unknown = await request
        .clone()
        .json()
        .catch(() => null);
      const needed = neededScopes(visit.bridge, body);
      return needed.every((scope) => caller.scopes.includes(scope))
        ? visit.exchange.fetch(request)
        : guard.askForMore(caller, needed);
    },
    async close() {
      await Promise.all([...visits.values()].map(({ exchange }) => exchange.close()));
    },
  };
}

function newVisit(bridge: Bridge, onerror: (error: Error) => void): Visit {
  const exchange = createHttpExchange(createServerFactory(bridge), changeBus(bridge), onerror);
  return { bridge, exchange };
}
