import type { Store } from '../store/database.ts';

/** Business time without waiting, for the simulated portals, which ask for it on every page. */
export interface BusinessClock {
  readonly now: () => number;
  /** Reads the offset again; the test clock may have been moved. */
  refresh(): Promise<void>;
}

export async function businessClock(store: Pick<Store, 'clock'>): Promise<BusinessClock> {
  let offset = 0;
  const clock = {
    now: () => Date.now() + offset,
    async refresh() {
      offset = (await store.clock.now()) - Date.now();
    },
  };
  await clock.refresh();
  return clock;
}
