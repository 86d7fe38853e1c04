import type { CompiledQuery, Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { noteFinishedCalls } from './queue/finished-call.ts';
import { runScripts } from './queue/runs.ts';
import type { Database } from './schema/tables.ts';
import { openBehindTheStore, transactionBehind } from './testing/behind-the-store.ts';
import { describeStores } from './testing/describe-stores.ts';
import { createJobWorld, type JobWorld, SUCCEEDED } from './testing/job-world.ts';
import type { Transaction } from './transactions/script.ts';

describeStores('the order in which rows are locked', (stores) => {
  const sent: CompiledQuery[] = [];
  let world: JobWorld;
  let db: Kysely<Database>;
  let tx: Transaction;
  beforeAll(async () => {
    world = await createJobWorld(stores);
    db = openBehindTheStore(await stores.url(), (statement) => sent.push(statement));
    tx = transactionBehind(db, stores.dialect);
  });
  afterAll(() => db.destroy());

  /** The values of the statements that lock rows of a table, which SQLite only reads. */
  async function locked(table: string, act: () => Promise<unknown>) {
    sent.length = 0;
    await act();
    const lock = stores.dialect === 'sqlite' ? '' : 'for update';
    const reads = sent.filter(
      ({ sql }) =>
        sql.startsWith('select') && sql.includes(`from "${table}"`) && sql.endsWith(lock),
    );
    return reads.map(({ parameters }) => parameters);
  }

  // Where English sorts, `a` comes before `B`, and `bank_1` before `bank1`.
  it('is the same for the keys of calls in every language (R134)', async () => {
    const ended = ['a', 'B'].map((idempotency_key, n) => ({
      operation: 'all_accounts',
      organization_id: 1,
      env_scope: 'real_test' as const,
      idempotency_key,
      finished_at: n,
    }));
    const keys = await locked('all_accounts_keys', () => noteFinishedCalls(tx, ended));
    expect(keys.map((values) => values[2])).toEqual(['B', 'a']);
  });

  // Ends share a transaction on PostgreSQL only.
  it.skipIf(stores.dialect === 'sqlite')(
    'is that of institutions and environments, in whatever order their jobs end (R134)',
    async () => {
      const institutions = [
        ['bank_a', 'real_test'],
        ['bank_a', 'production'],
        ['bank_1', 'real_test'],
        ['bank1', 'real_test'],
      ] as const;
      const organizationId = await world.organization();
      for (const [provider, envScope] of institutions) {
        const values = { provider, env_scope: envScope, failures: '[]' };
        await world.db.insertInto('breakers').values(values).execute();
        await world.submit({ organizationId, action: `${provider}.accounts.list`, envScope });
      }
      const jobs = await world.claim('w');
      expect(jobs.map(({ provider, envScope }) => [provider, envScope])).toEqual(institutions);
      const ends = jobs.map((job) => ({
        ...job,
        owner: 'w',
        outcome: SUCCEEDED,
        artifacts: [],
        steps: [],
        suspension: null,
      }));
      expect(await locked('breakers', async () => runScripts.finish.together?.(tx, ends))).toEqual([
        ['bank1', 'real_test'],
        ['bank_1', 'real_test'],
        ['bank_a', 'production'],
        ['bank_a', 'real_test'],
      ]);
    },
  );
});
