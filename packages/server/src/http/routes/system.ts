import { operations } from '@changgu/contract/schemas';
import type { Clock } from '../../clock.ts';
import type { SimulatorControl } from '../../institutions/simulator-control.ts';
import {
  readServiceState,
  type ServiceStateDependencies,
} from '../../observability/service-state.ts';
import { kstTime } from '../../rules/kst.ts';
import { ServiceError } from '../../rules/service-error.ts';
import type { HttpApp } from '../app.ts';
import { route } from '../route.ts';

export interface SystemDependencies {
  readonly clock: Clock;
  /** Business time. Throws SERVICE_UNAVAILABLE when the store does not answer. */
  readonly ping: () => Promise<number>;
  /** Throws SERVICE_UNAVAILABLE when nothing can be written. */
  readonly pingWrites: () => Promise<void>;
  /** Milliseconds since an arbitrary moment: a clock that is set back must not keep the last verdict. */
  readonly monotonic?: () => number;
}

/** More frequent callers get the result of the last write, because the endpoint needs no credentials. */
const WRITE_CHECK_MS = 1_000;

/** Health endpoints, which need no authentication and reveal nothing internal. */
export function systemRoutes(app: HttpApp, dependencies: SystemDependencies): void {
  const { clock, ping, pingWrites, monotonic = () => performance.now() } = dependencies;
  let checked = Promise.resolve();
  let checkedAt = Number.NEGATIVE_INFINITY;
  const checkWrites = () => {
    const now = monotonic();
    if (now - checkedAt >= WRITE_CHECK_MS) {
      checkedAt = now;
      checked = pingWrites();
    }
    return checked;
  };
  const up = (at: number) => ({
    status: 200 as const,
    body: {
      status: 'ok' as const,
      service: 'changgu',
      version: '2.0.0' as const,
      time: kstTime(at),
    },
  });
  route(app, operations.system.health, async () => {
    return up(await ping());
  });
  // The time of this process: neither may wait for the store.
  route(app, operations.system.healthLive, async () => up(clock.realNow()));
  route(app, operations.system.healthReady, async () => {
    if (app.draining.aborted) throw new ServiceError('SERVICE_UNAVAILABLE');
    await checkWrites();
    return up(clock.realNow());
  });
}

/** Moves business time; only `dev` has this route. */
export function testClockRoute(app: HttpApp, advance: (seconds: number) => Promise<number>): void {
  route(app, operations.system.advanceTestClock, async ({ body }) => ({
    status: 200,
    body: { now: kstTime(await advance(body.seconds)) },
  }));
}

/** What operators watch: queues, circuit breakers and business time. */
export function serviceStateRoute(app: HttpApp, dependencies: ServiceStateDependencies): void {
  route(app, operations.admin.readServiceState, async ({ language }) => ({
    status: 200,
    body: await readServiceState(dependencies, language),
  }));
}

/** Steers the simulated institutions; only `dev` has these routes. */
export function simulatorRoutes(app: HttpApp, control: SimulatorControl): void {
  route(app, operations.admin.listSimulators, async () => ({
    status: 200,
    body: { items: [...(await control.list())] },
  }));
  route(app, operations.admin.setSimulatorState, async ({ params, body }) => {
    const simulator = await control.setState(params.provider, body);
    if (simulator === null) throw new ServiceError('RESOURCE_NOT_FOUND');
    return { status: 200, body: simulator };
  });
}
