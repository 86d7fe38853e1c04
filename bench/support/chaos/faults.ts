import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startFreezingProxy } from '../../../packages/server/src/store/testing/freezing-proxy.ts';
import type { OwnPostgres } from '../../../packages/server/src/store/testing/run-postgres.ts';
import { end } from '../children.ts';
import { openEngineBench } from '../engine-bench.ts';
import { startEngineWorker } from '../engine-process.ts';
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
import { startPatiently, within } from './patience.ts';

/** What a fault can access. */
interface Scene {
  readonly postgres: OwnPostgres;
  /** The worker that is affected, one of two. */
  readonly victim: ChildProcess;
  freeze(): void;
}

export interface Fault {
  readonly name: string;
  /** The environment of the affected process. */
  readonly env?: Readonly<Record<string, string>>;
  happen(scene: Scene): Promise<void>;
}

const TEN_MINUTES_AHEAD =
  'data:text/javascript,const now = Date.now; Date.now = () => now() + 600_000;';

/** Faults of one worker, which can run side by side on one database server. */
export const FAULTS_OF_A_WORKER: readonly Fault[] = [
  {
    name: 'worker stopped for 2 leases',
    async happen({ victim }) {
      victim.kill('SIGSTOP');
      await pause(2 * LEASE_MS);
      victim.kill('SIGCONT');
    },
  },
  { name: 'connections frozen', happen: async ({ freeze }) => freeze() },
  {
    name: 'clock of a host 10 minutes ahead',
    env: { NODE_OPTIONS: `--import=${encodeURI(TEN_MINUTES_AHEAD)}` },
    happen: async () => {},
  },
];

/** Faults of the whole database server, which have it for themselves. */
export const FAULTS_OF_THE_DATABASE: readonly Fault[] = [
  { name: 'PostgreSQL restarted', happen: ({ postgres }) => postgres.restart() },
  { name: 'PostgreSQL out of connections', happen: ({ postgres }) => useUpConnections(postgres) },
];

const CONNECT_MS = 10_000;

/** Takes every remaining connection and breaks those of the service, for as long as a lease. */
async function useUpConnections({ url }: OwnPostgres): Promise<void> {
  const taken: pg.Client[] = [];
  async function takeAll(): Promise<void> {
    for (;;) {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
      client.on('error', () => {});
      const connected = client.connect().then(
        () => true,
        () => false,
      );
      if (!(await connected)) return;
      taken.push(client);
    }
  }
  await takeAll();
  await taken[0]?.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'changgu'",
  );
  await takeAll();
  await pause(LEASE_MS);
  for (const client of taken) await client.end();
}

/** Submits jobs to two workers, causes the fault in the middle and counts the outcome. */
export async function withFault(
  fault: Fault,
  postgres: OwnPostgres,
  jobs: number,
): Promise<FaultReport> {
  const url = await createDatabase(postgres.url, fault.name);
  const directory = await mkdtemp(join(tmpdir(), 'changgu-fault-'));
  const effects = join(directory, 'effects');
  await writeFile(effects, '');
  const proxy = await startFreezingProxy(url);
  const bench = await openEngineBench(url, LINKS);
  const env = {
    CHANGGU_LEASE_SECONDS: String(LEASE_MS / 1_000),
    BENCH_RUN_MS: '40',
    BENCH_EFFECTS: effects,
  };
  const inTime = <T>(what: string, awaited: Promise<T>) =>
    within(LIMIT_SECONDS, `${what} (${fault.name})`, awaited);
  const startWorker = (more: Readonly<Record<string, string>>) =>
    inTime(
      'a worker to start',
      startPatiently(() => startEngineWorker({ ...env, ...more })),
    );
  const victim = await startWorker({ ...fault.env, CHANGGU_DATABASE_URL: proxy.url });
  const other = await startWorker({ CHANGGU_DATABASE_URL: url });
  const ids = new Set<string>();
  const submitting = submitSlowly(bench, jobs, (id) => ids.add(id));
  await pause(1_000);
  const happening = fault.happen({ postgres, victim, freeze: proxy.freeze });
  const ended = bench.db
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('finished_at', 'is not', null);
  const resumed = await inTime(
    'submissions and fault',
    longestPause(
      async () => Number((await ended.executeTakeFirst())?.count),
      Promise.all([submitting, happening]),
    ),
  );
  await inTime('all jobs to end', settled(bench));
  const breaches = await countBreaches(bench, ids, effects);
  const stopping = [victim, other].map((worker) => end(worker, 'SIGTERM'));
  await inTime('the workers to stop', Promise.all(stopping));
  proxy.close();
  await bench.close();
  await rm(directory, { recursive: true, force: true });
  return { jobs, ...breaches, 'resumed after, s': resumed };
}

async function createDatabase(url: string, name: string): Promise<string> {
  const database = name.replace(/\W+/g, '_').toLowerCase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${database}`);
  await client.end();
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}
