import { expect, it } from 'vitest';
import { simulate, type Tamper } from './testing/simulation.ts';

/** How many seeds; each failing one is printed, and `CHANGGU_SIMULATION_SEED` replays it exactly. */
const SEEDS = Number(process.env.CHANGGU_SIMULATION_SEEDS ?? 200);
const ONE = process.env.CHANGGU_SIMULATION_SEED;

async function firstFinding(
  tamper?: Tamper,
): Promise<{ seed: number; findings: readonly string[] } | null> {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const findings = await simulate(seed, tamper);
    if (findings.length > 0) return { seed, findings };
  }
  return null;
}

it('keeps every promise under lost messages, stalls, restarts and clock steps, whatever the seed (R29, R130, R133, D03)', async () => {
  if (ONE !== undefined) expect(await simulate(Number(ONE))).toEqual([]);
  else expect(await firstFinding()).toBeNull();
}, 3_600_000);

it('replays a seed exactly, and notices a store that fences by the owner alone (D03)', async () => {
  const byOwnerAlone: Tamper = ({ raw }, script, input) => {
    if (script !== 'finish') return input;
    const run = input as { readonly id: string };
    const row = raw.prepare('select takeovers from jobs where id = ?').get(run.id);
    return { ...run, attempt: row?.takeovers };
  };
  const found = await firstFinding(byOwnerAlone);
  expect(found?.findings.join()).toContain('was ended by a lost run');
  expect(await simulate(found?.seed ?? 0, byOwnerAlone)).toEqual(found?.findings);
}, 120_000);
