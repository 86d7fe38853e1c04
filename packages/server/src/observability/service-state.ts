import { ENV_SCOPES, type EnvScope } from '@changgu/contract';
import type { CatalogueInstitution } from '@changgu/contract/catalogue';
import type { InstitutionQueue, ServiceStateResponse } from '@changgu/contract/schemas';
import type { InstitutionAddresses } from '../institutions/addresses.ts';
import type { Language } from '../requests/language.ts';
import { healthOf } from '../rules/endings/institution-health.ts';
import { kstTime, kstTimeOrNull } from '../rules/kst.ts';
import type { Store } from '../store/database.ts';
import type { BreakerState } from '../store/queue/breakers.ts';
import type { InstitutionDepth } from '../store/queue/queue-depth.ts';

export interface ServiceStateDependencies {
  readonly store: Pick<Store, 'breakers' | 'clock' | 'queueDepth'>;
  readonly institutions: readonly CatalogueInstitution[];
  readonly addresses: Pick<InstitutionAddresses, 'has'>;
  readonly hasTestClock: boolean;
  readonly hasSimulators: boolean;
}

/** Per environment, because there may be a million. */
const MAX_COUNTED = 10_000;

/** Queued and running jobs per institution and environment, of all processes together. */
export async function readServiceState(
  dependencies: ServiceStateDependencies,
  language: Language,
): Promise<ServiceStateResponse> {
  const { store, institutions, addresses } = dependencies;
  const [depths, breakers, now] = await Promise.all([
    store.queueDepth.perInstitution({ most: MAX_COUNTED }),
    store.breakers.list(),
    store.clock.now(),
  ]);
  const queues = institutions.flatMap(({ provider, title }) =>
    ENV_SCOPES.map((envScope) => {
      const isHere = (each: { readonly provider: string; readonly envScope: EnvScope }) =>
        each.provider === provider && each.envScope === envScope;
      return {
        provider,
        name: title[language],
        env_scope: envScope,
        configured: addresses.has(envScope, provider),
        ...workOf(depths.find(isHere)),
        ...troubleOf(breakers.find(isHere) ?? null, now),
      };
    }),
  );
  return {
    now: kstTime(now),
    has_test_clock: dependencies.hasTestClock,
    has_simulators: dependencies.hasSimulators,
    complete: ENV_SCOPES.every((envScope) => queuedIn(depths, envScope) < MAX_COUNTED),
    institutions: queues,
  };
}

function workOf(depth: InstitutionDepth | undefined) {
  return {
    queued: depth?.queued ?? 0,
    running: depth?.running ?? 0,
    oldest_queued_at: kstTimeOrNull(depth?.oldestQueuedAt ?? null),
  };
}

function troubleOf(breaker: BreakerState | null, now: number) {
  const { state, maintenance, retryAt } = healthOf(breaker, now);
  return {
    state,
    maintenance,
    breaker: {
      state: positionOf(breaker),
      failures: breaker?.failures.length ?? 0,
      retry_at: kstTimeOrNull(retryAt),
      last_code: breaker?.lastCode ?? null,
    },
  };
}

function positionOf(breaker: BreakerState | null): InstitutionQueue['breaker']['state'] {
  if (breaker === null || breaker.openUntil === null) return 'CLOSED';
  return breaker.trialJobId === null ? 'OPEN' : 'TRIAL';
}

function queuedIn(depths: readonly InstitutionDepth[], envScope: EnvScope): number {
  return depths
    .filter((depth) => depth.envScope === envScope)
    .reduce((sum, { queued }) => sum + queued, 0);
}
