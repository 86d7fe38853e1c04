/**
 * Claim: 200 accounts in one all-accounts call cost a few transactions and a fraction of the time of
 * 200 single submissions of the same accounts, one after another or 32 at a time, on both databases.
 * Run: node --conditions=@changgu/source bench/all-accounts.ts [rounds]
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { CompiledQuery } from 'kysely';
import {
  type AllAccountsHarness,
  BANK_B,
  openAllAccountsHarness,
} from '../packages/server/src/jobs/testing/all-accounts-harness.ts';
import { openStore, type Store } from '../packages/server/src/store/database.ts';
import { openBehindTheStore } from '../packages/server/src/store/testing/behind-the-store.ts';
import type { TestStores } from '../packages/server/src/store/testing/describe-stores.ts';
import type { TestRow } from '../packages/server/src/store/testing/run-on-postgres.ts';
import { startPostgres } from './support/postgres.ts';

const ACCOUNTS = 200;
const IN_FLIGHT = 32;
const PLENTY = 1_000_000_000;
const rounds = Number(process.argv[2] ?? 7);

interface MeasuredStores extends TestStores {
  /** Write transactions so far. On PostgreSQL, each notice that a lane is ready counts too. */
  commits(): Promise<number>;
  close(): Promise<void>;
}

function storesAt(url: string, dialect: TestStores['dialect']): MeasuredStores {
  const behind = openBehindTheStore(url);
  const execute: TestStores['execute'] = async (statement, values = []) => {
    let position = 0;
    const text = statement.replace(/\?/g, () => {
      position += 1;
      return dialect === 'postgres' ? `$${position}` : '?';
    });
    const query = CompiledQuery.raw(text, [...values]);
    return (await behind.executeQuery<TestRow>(query)).rows;
  };
  return {
    dialect,
    url: async () => url,
    open: (options = {}) => openStore({ ...options, url }),
    execute,
    async commits() {
      // SQLite counts them in its WAL index header; PostgreSQL assigns an id to each writer.
      if (dialect === 'sqlite') {
        return readFileSync(`${url.slice('sqlite:'.length)}-shm`).readUInt32LE(8);
      }
      const [row] = await execute('select pg_snapshot_xmax(pg_current_snapshot())::text as xid');
      return Number(row?.xid);
    },
    close: () => behind.destroy(),
  };
}

interface Way {
  readonly name: string;
  readonly run: (bench: AllAccountsHarness, accounts: readonly Account[]) => Promise<void>;
}

interface Account {
  readonly accountLinkId: string;
  readonly id: string;
}

const WAYS: readonly Way[] = [
  {
    name: 'one call',
    run: async (bench) => {
      const { response } = await bench.submitAll();
      if (response.submitted_count !== ACCOUNTS) throw new Error('not every line was submitted');
    },
  },
  { name: '200 submits, one by one', run: (bench, accounts) => submitEach(bench, accounts, 1) },
  {
    name: `200 submits, ${IN_FLIGHT} at a time`,
    run: (bench, accounts) => submitEach(bench, accounts, IN_FLIGHT),
  },
];

async function submitEach(
  bench: AllAccountsHarness,
  accounts: readonly Account[],
  inFlight: number,
): Promise<void> {
  const rest = accounts.values();
  const worker = async () => {
    for (const { accountLinkId, id } of rest) {
      const params = { bank_account_credential_id: id };
      await bench.submit({ envScope: 'real_test', action: BANK_B, accountLinkId, params });
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}

async function measure(stores: MeasuredStores, store: Store, links: number): Promise<void> {
  const bench = await openAllAccountsHarness(stores, store, { cap: ACCOUNTS, daily: PLENTY });
  const accounts: Account[] = [];
  for (let n = 0; n < links; n += 1) {
    const link = await bench.link(ACCOUNTS / links);
    accounts.push(...link.accounts.map((id) => ({ accountLinkId: link.id, id })));
  }
  const times = new Map(WAYS.map(({ name }) => [name, [] as number[]]));
  const commits = new Map<string, number>();
  // Interleaved, so that other load on the machine affects all alike; the first round is a warm-up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, run } of WAYS) {
      const before = await stores.commits();
      const started = performance.now();
      await run(bench, accounts);
      if (round > 0) times.get(name)?.push(performance.now() - started);
      commits.set(name, (await stores.commits()) - before);
      await endJobs(stores, bench);
    }
  }
  const medians = WAYS.map(({ name }) => median(times.get(name) ?? []));
  const one = medians[0] ?? 0;
  console.log(`\n${stores.dialect}, ${ACCOUNTS} accounts of ${links} links`);
  console.table(
    WAYS.map(({ name }, index) => ({
      way: name,
      ms: (medians[index] ?? 0).toFixed(1),
      transactions: commits.get(name),
      'times the one call': ((medians[index] ?? 0) / one).toFixed(1),
    })),
  );
}

/** Frees the cap and the lanes for the next method. */
async function endJobs(stores: MeasuredStores, bench: AllAccountsHarness): Promise<void> {
  await stores.execute(
    `update jobs set status = 'CANCELED', ready = 0, finished_at = submitted_at, purge_at = 0
     where organization_id = ? and status = 'QUEUED'`,
    [bench.organizationId],
  );
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

async function bothShapes(url: string, dialect: TestStores['dialect']): Promise<void> {
  const store = await openStore({ url });
  const stores = storesAt(url, dialect);
  try {
    for (const links of [1, 4, ACCOUNTS]) await measure(stores, store, links);
  } finally {
    await stores.close();
    await store.close();
  }
}

const directory = await mkdtemp(join(tmpdir(), 'changgu-bench-'));
try {
  await bothShapes(`sqlite:${join(directory, 'changgu.db')}`, 'sqlite');
} finally {
  await rm(directory, { recursive: true, force: true });
}
const postgres = await startPostgres();
try {
  await bothShapes(postgres.url, 'postgres');
} finally {
  await postgres.close();
}
