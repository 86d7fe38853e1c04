import { expect, it } from 'vitest';
import { type KnownRuns, NOTHING_KNOWN } from '../store/queue/known-work.ts';
import { createSweeper, type SweepDependencies } from './sweeper.ts';

const TIMES = { leaseMs: 1, retentionMs: 1, eventRetentionMs: 1 };
const nothing = async () => false;

/** A store in which there is always more to do. */
function endless(called: (script: string) => void): SweepDependencies['store'] {
  const more = (script: string) => async () => {
    called(script);
    return true;
  };
  return {
    findDue: async () => ({ due: [{ id: 'job', lane: null, action: 'a' }], known: NOTHING_KNOWN }),
    endDue: more('endDue'),
    findStalledLanes: async () => ({ stalled: [], next: null }),
    healLane: nothing,
    purgeJobs: more('purgeJobs'),
    purgeAllAccountsKeys: nothing,
    purgeArtifactBytes: nothing,
    purgePortalSessions: nothing,
    noteExpiringArtifacts: nothing,
    noteExpiringLinks: nothing,
    purgeEvents: nothing,
    purgeDeliveries: nothing,
  };
}

it('looks at running jobs from the oldest that it knows of, and at all of them again every ten minutes', async () => {
  const looked: number[] = [];
  const store = {
    ...endless(() => {}),
    findDue: async ({ known }: { readonly known: KnownRuns }) => {
      looked.push(known.started);
      if (known.started === 0 && looked.length > 1) throw new Error('took too long');
      return { due: [], known: { started: known.started + 7, seenAt: 0, holdsUntil: 0 } };
    },
  };
  const breakers = { nominateTrials: async () => 0 };
  const sweeper = createSweeper({ store, breakers, actions: new Map(), ...TIMES });
  const stopped = AbortSignal.abort();
  await sweeper.endDue();
  await sweeper.endDue();
  for (let minutes = 0; minutes < 10; minutes += 1) await sweeper.tidy(stopped);
  await expect(sweeper.endDue()).rejects.toThrow('due jobs');
  await sweeper.endDue();
  expect(looked).toEqual([0, 7, 0, 14]);
});

it('stops in the middle of a sweep when it is told to', async () => {
  const calls: string[] = [];
  let stop = new AbortController();
  const store = endless((script) => {
    calls.push(script);
    stop.abort();
  });
  const breakers = { nominateTrials: async () => 0 };
  const sweeper = createSweeper({ store, breakers, actions: new Map(), ...TIMES });
  await sweeper.endDue(stop.signal);
  stop = new AbortController();
  await sweeper.tidy(stop.signal);
  expect(calls).toEqual(['endDue', 'purgeJobs']);
});

it('stops between two lanes that it heals when it is told to', async () => {
  const stop = new AbortController();
  const healed: string[] = [];
  const store = {
    ...endless(() => stop.abort()),
    findStalledLanes: async () => ({ stalled: ['a', 'b'], next: 'b' }),
    async healLane({ lane }: { readonly lane: string }) {
      healed.push(lane);
      stop.abort();
      return true;
    },
  };
  const breakers = { nominateTrials: async () => 0 };
  const sweeper = createSweeper({ store, breakers, actions: new Map(), ...TIMES });
  await sweeper.tidy(stop.signal);
  expect(healed).toEqual(['a']);
});

it('ends, heals and purges all the rest when one job, lane or round fails', async () => {
  const done: string[] = [];
  const doing = (what: string) => {
    if (what.endsWith('broken')) throw new Error(what);
    done.push(what);
  };
  let looks = 0;
  const store = {
    ...endless(() => {}),
    findDue: async () => {
      looks += 1;
      const ids = looks === 1 ? ['broken', 'job'] : ['broken'];
      return { due: ids.map((id) => ({ id, lane: null, action: 'a' })), known: NOTHING_KNOWN };
    },
    async endDue({ id }: { readonly id: string }) {
      doing(id);
      return true;
    },
    findStalledLanes: async () => ({ stalled: ['broken', 'lane'], next: null }),
    async healLane({ lane }: { readonly lane: string }) {
      doing(lane);
      return true;
    },
    purgeArtifactBytes: async () => doing('bytes broken') ?? false,
    purgeJobs: async () => doing('purgeJobs') ?? false,
  };
  const breakers = { nominateTrials: async () => doing('trials') ?? 0 };
  const sweeper = createSweeper({ store, breakers, actions: new Map(), ...TIMES });
  await expect(sweeper.endDue()).rejects.toMatchObject({
    failures: [{ part: 'job broken' }, { part: 'job broken' }],
  });
  await expect(sweeper.tidy()).rejects.toMatchObject({
    failures: [{ part: 'lane broken' }, { part: 'purgeArtifactBytes' }],
  });
  expect(done).toEqual(['job', 'trials', 'lane', 'purgeJobs']);
});
