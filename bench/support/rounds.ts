import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadResult } from './load.ts';
import { untilQuiet } from './quiet.ts';

/** Enough for a median; more only takes longer. */
const ROUNDS = 3;
const SYNCS = 200;

export interface Contender {
  readonly name: string;
  run(): Promise<LoadResult>;
}

/** The results of all rounds of one contender. */
export interface Measured {
  readonly name: string;
  readonly perSecond: readonly number[];
  /** Processor time of its process for one request, all threads, in microseconds. */
  readonly microseconds: readonly number[];
}

/**
 * Runs each contender in turn, three times, so that other load on the machine affects all alike. Each waits until what
 * the one before it left to do is done.
 */
export async function interleaved(contenders: readonly Contender[]): Promise<Measured[]> {
  const results = contenders.map(({ name }) => ({
    name,
    perSecond: [] as number[],
    microseconds: [] as number[],
  }));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [n, contender] of contenders.entries()) {
      await untilQuiet();
      const { perSecond, microseconds, p99Ms, loopP99Ms } = await contender.run();
      results[n]?.perSecond.push(perSecond);
      results[n]?.microseconds.push(microseconds);
      console.log(
        `round ${round + 1}, ${contender.name}: ${perSecond.toFixed(0)} requests/s, p99 ${p99Ms} ms, event loop p99 ${loopP99Ms} ms, ${microseconds.toFixed(0)} µs of processor time each`,
      );
    }
  }
  for (const { name, perSecond, microseconds } of results) {
    console.log(`${name}: ${spread(perSecond)} requests/s, ${spread(microseconds)} µs`);
  }
  return results;
}

/** Prints the ratio to the peer's throughput and processor time for each round, and the goal of the first. */
export function ratio(ours: Measured | undefined, peer: Measured | undefined, goal: number): void {
  if (!ours || !peer) throw new Error('one of the two was not measured');
  const quotients = ours.perSecond.map((value, n) => value / (peer.perSecond[n] ?? Number.NaN));
  const costs = ours.microseconds.map((value, n) => value / (peer.microseconds[n] ?? Number.NaN));
  console.log(
    `${ours.name} / ${peer.name}: ${spread(quotients, 3)} (goal ≥ ${goal}); processor time ${spread(costs, 3)}`,
  );
}

function spread(values: readonly number[], digits = 0): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (n: number) => (sorted.at(n) ?? Number.NaN).toFixed(digits);
  return `median ${at(Math.floor(sorted.length / 2))} (${at(0)} to ${at(-1)})`;
}

/** Milliseconds of one fdatasync: no commit is faster. */
export async function medianSyncMs(): Promise<number> {
  const path = join(tmpdir(), `changgu-sync-${process.pid}`);
  const file = await open(path, 'w');
  try {
    const times: number[] = [];
    for (let n = 0; n < SYNCS; n += 1) {
      await file.write(Buffer.alloc(512), 0, 512, n * 512);
      const started = performance.now();
      await file.datasync();
      times.push(performance.now() - started);
    }
    return times.toSorted((a, b) => a - b)[SYNCS / 2] ?? Number.NaN;
  } finally {
    await file.close();
    await rm(path);
  }
}
