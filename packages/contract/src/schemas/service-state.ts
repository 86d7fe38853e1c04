import { type Static, Type } from 'typebox';
import { InstitutionRecord } from './institution.ts';
import { EnvScope, KstTime, nullable, oneOf, strict } from './vocabulary.ts';

const Count = Type.Integer({ minimum: 0 });
const { provider, name, configured, state, maintenance, retry_at } = InstitutionRecord.properties;

/** What waits and runs at one institution in one environment, and whether it answers. */
export const InstitutionQueue = Type.Object(
  {
    provider,
    name,
    env_scope: EnvScope,
    configured,
    state,
    maintenance,
    queued: Count,
    running: Count,
    oldest_queued_at: nullable(KstTime),
    breaker: Type.Object(
      {
        state: oneOf(['CLOSED', 'OPEN', 'TRIAL'], {
          description:
            'CLOSED: jobs run; OPEN: jobs wait until `retry_at`; TRIAL: one job tries the institution, the others wait',
        }),
        failures: Type.Integer({
          minimum: 0,
          maximum: 5,
          description: 'Jobs in a row that met an upstream failure, counted up to five',
        }),
        retry_at,
        last_code: nullable(Type.String({ description: 'Error code of the last failure' })),
      },
      strict,
    ),
  },
  { $id: 'InstitutionQueue', ...strict },
);
export type InstitutionQueue = Static<typeof InstitutionQueue>;

export const ServiceStateResponse = Type.Object(
  {
    now: KstTime,
    has_test_clock: Type.Boolean({ description: 'Whether business time can be moved: dev mode' }),
    has_simulators: Type.Boolean({ description: 'Whether `real_test` is simulated: dev mode' }),
    complete: Type.Boolean({
      description: 'Whether every queued job was counted; otherwise only the 10,000 due first',
    }),
    institutions: Type.Array(InstitutionQueue),
  },
  { $id: 'ServiceStateResponse', ...strict },
);
export type ServiceStateResponse = Static<typeof ServiceStateResponse>;

const SIMULATOR_STATES = ['HEALTHY', 'DEGRADED', 'DOWN'] as const;

export const SimulatorRecord = Type.Object(
  { provider: Type.String(), state: oneOf(SIMULATOR_STATES) },
  { $id: 'SimulatorRecord', ...strict },
);
export type SimulatorRecord = Static<typeof SimulatorRecord>;

export const SimulatorListResponse = Type.Object(
  { items: Type.Array(SimulatorRecord) },
  { $id: 'SimulatorListResponse', ...strict },
);
export type SimulatorListResponse = Static<typeof SimulatorListResponse>;

export const SimulatorStateRequest = Type.Object(
  {
    state: oneOf(SIMULATOR_STATES, {
      description: 'DEGRADED fails about half of the requests; DOWN fails all of them',
    }),
    latency_ms: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 60_000, description: 'Added to every answer' }),
    ),
  },
  { $id: 'SimulatorStateRequest', ...strict },
);
export type SimulatorStateRequest = Static<typeof SimulatorStateRequest>;
