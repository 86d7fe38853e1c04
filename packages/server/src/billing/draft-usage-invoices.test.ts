import { beforeAll, expect, it } from 'vitest';
import { describeStores } from '../store/testing/describe-stores.ts';
import { createJobWorld, type JobWorld } from '../store/testing/job-world.ts';
import { draftUsageInvoices } from './draft-usage-invoices.ts';

const ACTOR = { kind: 'system', id: 'test', traceId: null } as const;
const DAY = 'day:2026-09-30';

describeStores('usage invoices', (stores) => {
  let world: JobWorld;
  beforeAll(async () => {
    world = await createJobWorld(stores);
  });

  it('bill no token that a job in the queue may give back (D38)', async () => {
    const organizationId = await world.organization();
    const job = { organizationId, envScope: 'production' as const, usageTokens: 2 };
    await world.submit(job);
    for (const each of await world.claim('w')) await world.finish('w', each);
    const waits = await world.submit(job);
    await stores.execute('update jobs set submitted_at = ?, charged_periods = ?', [
      Date.parse('2026-09-30T23:50:00+09:00'),
      JSON.stringify([DAY]),
    ]);
    await stores.execute('delete from usage');
    await stores.execute(
      "insert into usage (organization_id, env_scope, period, used) values (?, 'production', ?, 4)",
      [organizationId, DAY],
    );
    const now = Date.parse('2026-10-01T00:05:00+09:00');
    const draft = () =>
      draftUsageInvoices({ store: world.store, plans: {} }, '202609', { now, actor: ACTOR });
    expect(await draft()).toEqual({ drafted: [], waiting: [organizationId] });

    await world.db
      .updateTable('jobs')
      .set({ queue_deadline_at: 1 })
      .where('id', '=', waits)
      .execute();
    expect(
      await world.store.engine.endDue({ id: waits, lane: null, irreversible: false, leaseMs: 0 }),
    ).toBe(true);
    const { drafted, waiting } = await draft();
    expect([drafted.length, waiting]).toEqual([1, []]);
    const invoice = await world.db
      .selectFrom('invoice_items')
      .innerJoin('invoices', 'invoices.id', 'invoice_items.invoice_id')
      .select(['invoice_items.quantity', 'invoices.invoice_number'])
      .where('invoices.organization_id', '=', organizationId)
      .executeTakeFirstOrThrow();
    expect(invoice).toEqual({ quantity: 2, invoice_number: drafted[0] });
  });
});
