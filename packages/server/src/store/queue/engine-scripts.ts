import { expiryScripts } from '../events/expiry-notices.ts';
import { deliveryPurgeScripts } from '../events/purge-deliveries.ts';
import { eventPurgeScripts } from '../events/purge-events.ts';
import type { Callable } from '../transactions/script.ts';
import { callRowScripts } from './call-rows.ts';
import { claimScripts } from './claims.ts';
import { leaseScripts } from './leases.ts';
import { purgeScripts } from './purges.ts';
import { runScripts } from './runs.ts';
import { sweepScripts } from './sweeps.ts';

/** All store functions of the engine: `store.engine.claim(…)`. */
export const engineScripts = {
  ...callRowScripts,
  ...claimScripts,
  ...leaseScripts,
  ...runScripts,
  ...sweepScripts,
  ...purgeScripts,
  ...deliveryPurgeScripts,
  ...expiryScripts,
  ...eventPurgeScripts,
};

export type EngineStore = Callable<typeof engineScripts>;
