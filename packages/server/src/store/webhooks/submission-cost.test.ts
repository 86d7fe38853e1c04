import { CompiledQuery, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { POSTGRES } from '../backends/postgres-dialect.ts';
import { SQLITE } from '../backends/sqlite-connection.ts';
import type { Database } from '../schema/tables.ts';
import { findScript } from '../scripts.ts';
import { openBehindTheStore } from '../testing/behind-the-store.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { createJobWorld, type JobWorld, submissionOf } from '../testing/job-world.ts';
import { seedWebhook } from '../testing/seed.ts';
import type { Signal, Transaction } from '../transactions/script.ts';

const ENDPOINTS = 10;

describeStores('a submission', (stores) => {
  const sent: string[] = [];
  const signals: Signal[] = [];
  let world: JobWorld;
  let db: Kysely<Database>;
  let tx: Transaction;

  beforeAll(async () => {
    world = await createJobWorld(stores);
    db = openBehindTheStore(await stores.url(), ({ sql }) => sent.push(sql));
    const { clock } = stores.dialect === 'sqlite' ? SQLITE : POSTGRES;
    tx = {
      db,
      run: async <Row>(text: string, values: readonly unknown[]) =>
        (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows,
      dialect: stores.dialect === 'sqlite' ? SQLITE : POSTGRES,
      clock,
      now: async () => Date.now(),
      realNow: async () => Date.now(),
      signal: (signal) => signals.push(signal),
      conclude: () => {},
    };
  });
  afterAll(() => db.destroy());

  /** What a submission sends to the database, and whom it wakes. */
  async function costOf(organizationId: number) {
    sent.length = 0;
    signals.length = 0;
    await findScript({ group: 'jobs', script: 'submit' }).run(tx, submissionOf({ organizationId }));
    return { statements: [...sent], wakes: signals.map(({ kind }) => kind) };
  }

  it('reads what it shares with others once, and takes few statements for each of them', async () => {
    const organizationId = await world.organization();
    const cost = async (count: number) => {
      sent.length = 0;
      const submissions = Array.from({ length: count }, () => submissionOf({ organizationId }));
      const { together } = findScript({ group: 'jobs', script: 'submit' });
      expect(await together?.(tx, submissions)).toHaveLength(count);
      return sent.length;
    };
    // Rows, keys, jobs and tokens; or the rows and tokens once and for each its key, job, audit row and event.
    expect(await cost(10)).toBe(stores.dialect === 'postgres' ? 4 : 10 * 4 + 1);
    // Those that begin so do not wait for an answer to `begin`.
    const first = stores.dialect === 'postgres' ? 2 : 1;
    expect(sent.slice(0, first).map((text) => text.split(' ')[0])).toEqual(
      Array.from({ length: first }, () => 'select'),
    );
  });

  it('takes from each organization and environment the tokens of its own jobs (R19)', async () => {
    const [one, other] = [await world.organization(), await world.organization()];
    const { together } = findScript({ group: 'jobs', script: 'submit' });
    const outcomes = await together?.(tx, [
      submissionOf({ organizationId: one, usageTokens: 3 }),
      submissionOf({ organizationId: other, usageTokens: 5 }),
      submissionOf({ organizationId: one, usageTokens: 4 }),
      submissionOf({ organizationId: one, usageTokens: 9, envScope: 'sandbox' }),
    ]);
    expect(outcomes?.map(({ kind }) => kind)).toEqual(Array.from({ length: 4 }, () => 'done'));
    expect(Object.values(await world.used(one))).toEqual([7, 7]);
    expect(Object.values(await world.used(other))).toEqual([5, 5]);
  });

  it('sends the same statements to the database with ten endpoints as with none', async () => {
    const without = await costOf(await world.organization());
    const organizationId = await world.organization();
    for (let n = 0; n < ENDPOINTS; n += 1) {
      const actor = { kind: 'system', id: 'test', traceId: null } as const;
      await seedWebhook(world.store, { organizationId, actor, envScope: 'real_test' });
    }
    const withTen = await costOf(organizationId);
    expect(without.statements).not.toEqual([]);
    expect(withTen).toEqual(without);
  });
});
