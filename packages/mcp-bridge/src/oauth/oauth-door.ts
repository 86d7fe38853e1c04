import type { Bridge } from '../bridge.ts';
import { isJsonObject } from '../json-object.ts';
import { createServerFactory } from '../server/bridge-server.ts';
import { changeBus } from '../server/changes.ts';
import { createHttpExchange, type HttpExchange } from '../server/http-exchange.ts';
import { bridgeOf, callerKey } from './caller-bridge.ts';
import { neededScopes } from './needed-scopes.ts';
import { openResourceServer, type ResourceOptions } from './resource-server.ts';
import { Visits } from './visits.ts';

interface Visit {
  readonly bridge: Bridge;
  readonly exchange: HttpExchange;
}

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
  const visits = new Visits<Visit>(onerror);

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
      const body: unknown = await request
        .clone()
        .json()
        .catch(() => null);
      return visits.during(
        callerKey(caller),
        () => newVisit(bridgeOf(bridge, caller), onerror),
        async (visit) => {
          const needed = neededScopes(visit.bridge, body);
          return needed.every((scope) => caller.scopes.includes(scope))
            ? visit.exchange.fetch(request)
            : guard.askForMore(caller, needed);
        },
        isJsonObject(body) && body.method === 'subscriptions/listen',
      );
    },
    close: () => visits.close(),
  };
}

function newVisit(bridge: Bridge, onerror: (error: Error) => void): Visit {
  const exchange = createHttpExchange(createServerFactory(bridge), changeBus(bridge), onerror);
  return { bridge, exchange };
}
