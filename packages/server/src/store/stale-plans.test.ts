import type { Kysely } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConnections, type PostgresConnections } from './backends/postgres-connections.ts';
import { POSTGRES, POSTGRES_CLOCK_TEXTS } from './backends/postgres-dialect.ts';
import { sessionOf } from './backends/postgres-session.ts';
import { type ClaimedJob, claimScripts } from './queue/claims.ts';
import { leaseScripts } from './queue/leases.ts';
import { runScripts } from './queue/runs.ts';
import type { Database } from './schema/tables.ts';
import { submit } from './submission/accept-submission.ts';
import { openBehindTheStore } from './testing/behind-the-store.ts';
import { copyEndedJobUncounted } from './testing/bulk-jobs.ts';
import { createPostgresDatabase, type TestDatabase } from './testing/describe-stores.ts';
import { insertLink, insertOrganization, SUCCEEDED, submissionOf } from './testing/job-world.ts';
import { pagesOf, stopAutovacuum } from './testing/pages.ts';
import type { Script, Transaction } from './transactions/script.ts';
import { createTransaction } from './transactions/transaction.ts';

const AT_ONCE = 10;
const LINKS = 20;
const LATER = 10_000;
/** Pages that are full by chance, so that a change also writes to every index; those jobs have over a thousand. */
const CHANCE = 200;
const OWNER = 'w';
const LEASE_MS = 30_000;
const CLAIM = {
  pool: 'real' as const,
  limit: AT_ONCE,
  slots: 1_000,
  held: [],
  owner: OWNER,
  leaseMs: LEASE_MS,
};

/** The pages that each step of some jobs touches. */
type Pages = Record<'submit' | 'claim' | 'heartbeat' | 'finish', number>;

describe.each([20, 300])('plans that were made when %i jobs had been counted', (counted) => {
  let database: TestDatabase;
  let connections: PostgresConnections;
  let db: Kysely<Database>;
  let small: Pages;
  let large: Pages;

  beforeAll(async () => {
    database = await createPostgresDatabase();
    db = openBehindTheStore(database.url);
    const links = await prepare(db);
    connections = createConnections({
      url: database.url,
      requests: 1,
      engine: 1,
      answerMs: 30_000,
    });
    const requests = await connections.connect('requests');
    const engine = await connections.connect('engine');
    const queue = jobRunner(requests, engine, links);
    await queue.accept(counted);
    await requests.query('analyze');
    // PostgreSQL keeps the plan of a statement after its fifth run.
    for (let n = 0; n < 7; n += 1) small = await queue.run();
    await copyEndedJobUncounted(db, { id: queue.ended(), count: LATER });
    large = await queue.run();
    for (const client of [requests, engine]) client.release();
  }, 60_000);
  afterAll(async () => {
    await connections?.close();
    await db?.destroy();
    await database?.remove();
  });

  it.each([
    ['accept jobs', 'submit'],
    ['claim them', 'claim'],
    ['renew their leases', 'heartbeat'],
    ['end them and promote the next', 'finish'],
  ] as const)('%s at the same cost when thousands have come', (_, step) => {
    expect(large[step]).toBeLessThan(1.5 * small[step] + CHANCE);
  });
});

interface TestLink {
  readonly organizationId: number;
  readonly linkId: string;
}

/** An empty queue, and links for its lanes. */
async function prepare(db: Kysely<Database>): Promise<readonly TestLink[]> {
  await stopAutovacuum(db);
  const organizationId = await insertOrganization(db);
  const links: TestLink[] = [];
  while (links.length < LINKS)
    links.push({ organizationId, linkId: await insertLink(db, organizationId) });
  return links;
}

/** Runs jobs on two connections, as one process does. */
function jobRunner(requests: pg.PoolClient, engine: pg.PoolClient, links: readonly TestLink[]) {
  let accepted = 0;
  let last = '';
  async function accept(count: number): Promise<void> {
    for (const until = accepted + count; accepted < until; accepted += AT_ONCE) {
      const own = links.slice(accepted % LINKS, (accepted % LINKS) + AT_ONCE);
      await together(
        requests,
        submit,
        own.map((link) => submissionOf(link)),
      );
    }
  }
  async function run(): Promise<Pages> {
    const submitted = await pagesOf(requests, () => accept(AT_ONCE));
    let jobs: readonly ClaimedJob[] = [];
    const claimed = await pagesOf(engine, async () => {
      ({ jobs } = await alone(engine, claimScripts.claim, CLAIM));
    });
    expect(jobs).toHaveLength(AT_ONCE);
    const held = { owner: OWNER, ids: jobs.map(({ id }) => id), leaseMs: LEASE_MS };
    const renewed = await pagesOf(engine, () => alone(engine, leaseScripts.heartbeat, held));
    const end = { owner: OWNER, outcome: SUCCEEDED, artifacts: [], steps: [], suspension: null };
    const ends = jobs.map((job) => ({ ...job, ...end }));
    const finished = await pagesOf(engine, () => together(engine, runScripts.finish, ends));
    last = jobs[0]?.id ?? last;
    return { submit: submitted, claim: claimed, heartbeat: renewed, finish: finished };
  }
  return { accept, run, ended: () => last };
}

async function together<Input, Output>(
  client: pg.PoolClient,
  script: Script<Input, Output>,
  inputs: readonly Input[],
): Promise<void> {
  const whole = { ...script, run: async (tx: Transaction) => script.together?.(tx, inputs) };
  await alone(client, whole, undefined);
}

async function alone<Input, Output>(
  client: pg.PoolClient,
  { run, inIndexOrder }: Pick<Script<Input, Output>, 'run' | 'inIndexOrder'>,
  input: Input,
): Promise<Output> {
  const session = sessionOf(client);
  await session.begin({ inIndexOrder });
  const tx = createTransaction(session, POSTGRES, POSTGRES_CLOCK_TEXTS, []);
  const output = await run(tx, input);
  await session.commit();
  return output;
}
