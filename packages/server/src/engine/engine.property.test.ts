import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { DAY_MS } from '../rules/durations.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import {
  createJobWorld,
  type JobRow,
  type JobWorld,
  LEASE_MS,
} from '../store/testing/job-world.ts';
import { createSweeper, type Sweeper } from './sweeper.ts';
import { createEngineModel, type EngineAct, type EngineModel } from './testing/engine-model.ts';

const worker = fc.nat({ max: 1 });
const job = fc.nat({ max: 3 });

function act<Kind extends EngineAct['kind'], Rest extends object>(
  weight: number,
  kind: Kind,
  rest: { [Name in keyof Rest]: fc.Arbitrary<Rest[Name]> },
): fc.WeightedArbitrary<{ kind: Kind } & Rest> {
  return { weight, arbitrary: fc.record(rest).map((chosen) => ({ kind, ...chosen })) };
}

const ACT: fc.Arbitrary<EngineAct> = fc.oneof(
  act(8, 'submit', { link: fc.nat({ max: 2 }), scope: fc.nat({ max: 4 }) }),
  act(6, 'claim', { worker, limit: fc.integer({ min: 1, max: 4 }) }),
  act(5, 'finish', { worker, job, how: fc.nat({ max: 3 }) }),
  act(4, 'passPoint', { worker, job }),
  act(2, 'cancel', { job: fc.nat({ max: 30 }) }),
  act(1, 'crash', { worker }),
  act(2, 'stall', { worker }),
  act(4, 'takeOver', { worker }),
  act(1, 'beat', { worker }),
  act(1, 'unlink', { link: fc.nat({ max: 1 }) }),
  act(1, 'wait', { seconds: fc.integer({ min: 1, max: 70 }) }),
  act(1, 'clockStep', { seconds: fc.integer({ min: -30, max: 30 }) }),
);

/** Each round at once: on PostgreSQL these transactions truly meet. */
const ROUNDS = fc.array(fc.array(ACT, { minLength: 1, maxLength: 3 }), {
  minLength: 5,
  maxLength: 40,
  size: 'max',
});

describeStores('the engine, whatever happens', (stores) => {
  let world: JobWorld;
  let sweeper: Sweeper;
  beforeAll(async () => {
    world = await createJobWorld(stores);
    sweeper = createSweeper({
      store: world.store.engine,
      breakers: world.store.breakers,
      actions: new Map(),
      leaseMs: LEASE_MS,
      retentionMs: 30 * DAY_MS,
      eventRetentionMs: 30 * DAY_MS,
    });
  });

  it('keeps lanes serial and in order, tokens exact, ends every job once (R29, R130, R133, D01, D03)', async () => {
    await fc.assert(
      fc.asyncProperty(ROUNDS, async (rounds) => {
        const model = await createEngineModel(world, sweeper);
        const before = new Map<string, JobRow>();
        for (const round of rounds) {
          await Promise.all(round.map((act) => model.act(act)));
          await check(model, before);
        }
        await model.drain();
        await check(model, before);
      }),
      {
        numRuns: stores.dialect === 'sqlite' ? 30 : 12,
        interruptAfterTimeLimit: 100_000,
        markInterruptAsFailure: true,
      },
    );
  }, 120_000);

  async function check(model: EngineModel, before: Map<string, JobRow>): Promise<void> {
    const rows = await world.db
      .selectFrom('jobs')
      .selectAll()
      .where('organization_id', '=', model.organizationId)
      .orderBy('seq')
      .execute();
    for (const lane of Map.groupBy(rows, (row) => row.lane ?? row.id).values()) expectSerial(lane);
    for (const row of rows) {
      expectForward(before.get(row.id), row);
      before.set(row.id, row);
    }
    expect(model.stolen).toEqual([]);
    for (const times of model.passes.values()) expect(times).toBe(1);
    expect(await usedTokens(model)).toEqual(chargedTokens(rows));
  }

  async function usedTokens({ organizationId }: EngineModel): Promise<Record<string, number>> {
    const real = await world.used(organizationId, 'real_test');
    const production = await world.used(organizationId, 'production');
    return Object.fromEntries(
      [...tagged('real_test', real), ...tagged('production', production)].filter(
        ([, used]) => used,
      ),
    );
  }
});

/**
 * One at a time, in the order of acceptance, each after the end of the one it waited for. When a
 * lane was idle, a database clock set back shows as it is.
 */
function expectSerial(lane: readonly JobRow[]): void {
  const holders = lane.filter((row) => row.ready === 1 || row.status === 'RUNNING');
  expect(holders.length).toBeLessThanOrEqual(1);
  const waiting = lane.some((row) => row.finished_at === null);
  if (waiting) expect(holders).toHaveLength(1);
  let earlierEnd = 0;
  let earlierEnded = true;
  for (const row of lane) {
    if (row.started_at !== null) {
      expect(earlierEnded).toBe(true);
      const waited = lane.some((other) => other.finished_at === row.ready_at);
      if (waited) expect(row.started_at).toBeGreaterThanOrEqual(earlierEnd);
      earlierEnd = row.finished_at ?? row.started_at;
    }
    earlierEnded &&= row.finished_at !== null;
  }
}

/** Neither a job nor its start nor its progress ever goes back, and an end is final. */
function expectForward(before: JobRow | undefined, now: JobRow): void {
  if (now.finished_at !== null) {
    expect(now).toMatchObject({ progress: 100, progress_message: null, encrypted_fields: null });
    expect(now.finished_at).toBeGreaterThanOrEqual(now.started_at ?? 0);
  }
  if (before === undefined) return;
  if (before.finished_at !== null) expect(now).toEqual(before);
  if (before.started_at !== null) expect(now.started_at).toBe(before.started_at);
  expect(now.progress).toBeGreaterThanOrEqual(before.progress);
  expect(now.retry_count).toBeGreaterThanOrEqual(before.retry_count);
  expect(now.takeovers).toBeLessThanOrEqual(2);
  if (before.submit_step_at !== null) expect(now.takeovers).toBe(before.takeovers);
}

/** Tokens of every job but those that ended without ever running. */
function chargedTokens(rows: readonly JobRow[]): Record<string, number> {
  const charged: Record<string, number> = {};
  for (const row of rows) {
    if (row.finished_at !== null && row.started_at === null) continue;
    const periods: string[] = JSON.parse(row.charged_periods);
    for (const period of periods) {
      const key = `${row.env_scope} ${period}`;
      charged[key] = (charged[key] ?? 0) + row.usage_tokens;
    }
  }
  return charged;
}

function tagged(scope: string, used: Record<string, number>): [string, number][] {
  return Object.entries(used).map(([period, tokens]) => [`${scope} ${period}`, tokens]);
}
