import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startBenchWorker } from '../bench-worker.ts';
import { openEngineBench } from '../engine-bench.ts';
import {
  countBreaches,
  type FaultReport,
  LEASE_MS,
  LIMIT_SECONDS,
  LINKS,
  longestPause,
  settled,
  submitSlowly,
} from './fault-jobs.ts';
import { within } from './patience.ts';

const DISK = '24m';
const MORE_THAN_FITS = 32 << 20;

/** A separate disk for the embedded database, full for two seconds. Null where nothing can be mounted. */
export async function withFullDisk(jobs: number): Promise<FaultReport | null> {
  const directory = await mkdtemp(join(tmpdir(), 'changgu-disk-'));
  const disk = join(directory, 'disk');
  await mkdir(disk);
  if (!mounted(disk)) {
    await rm(directory, { recursive: true, force: true });
    return null;
  }
  const effects = join(directory, 'effects');
  await writeFile(effects, '');
  const bench = await openEngineBench(`sqlite:${join(disk, 'changgu.db')}`, LINKS);
  const leaseSeconds = LEASE_MS / 1_000;
  const worker = await startBenchWorker(bench.core, { runMs: 40, effects, leaseSeconds });
  const ids = new Set<string>();
  const submitting = submitSlowly(bench, jobs, (id) => ids.add(id));
  await pause(1_000);
  const filler = join(disk, 'filler');
  await writeFile(filler, Buffer.alloc(MORE_THAN_FITS)).catch(() => {});
  const emptied = pause(2_000).then(() => rm(filler));
  const inTime = <T>(what: string, awaited: Promise<T>) =>
    within(LIMIT_SECONDS, `${what} (disk full)`, awaited);
  const resumed = await inTime(
    'submissions and an empty disk',
    longestPause(async () => ids.size, Promise.all([submitting, emptied])),
  );
  await inTime('all jobs to end', settled(bench));
  const breaches = await countBreaches(bench, ids, effects);
  await inTime('the worker to stop', worker.stop());
  await bench.close();
  execFileSync('umount', [disk]);
  await rm(directory, { recursive: true, force: true });
  return { jobs, ...breaches, 'resumed after, s': resumed };
}

function mounted(disk: string): boolean {
  try {
    const size = ['-o', `size=${DISK}`];
    execFileSync('mount', ['-t', 'tmpfs', ...size, 'tmpfs', disk], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
