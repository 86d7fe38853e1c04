import { beforeAll, beforeEach, expect, it } from 'vitest';
import { describeStores } from '../testing/describe-stores.ts';
import { createJobWorld, type JobWorld, LEASE_MS } from '../testing/job-world.ts';
import { seedWebhook } from '../testing/seed.ts';
import type { HeldWebhook } from './courier-rows.ts';

const ACTOR = { kind: 'system', id: 'test', traceId: null } as const;

describeStores('the holder of an endpoint', (stores) => {
  let world: JobWorld;
  let couriers: JobWorld['store']['webhookCouriers'];
  let held: HeldWebhook;
  beforeAll(async () => {
    world = await createJobWorld(stores);
    couriers = world.store.webhookCouriers;
  });
  beforeEach(async () => {
    const organizationId = await world.organization();
    await seedWebhook(world.store, { organizationId, actor: ACTOR });
    held = await claimed(organizationId, 'one');
  });

  async function claimed(organizationId: number, owner: string): Promise<HeldWebhook> {
    const query = { owner, leaseMs: LEASE_MS, limit: 100, everywhere: false };
    // Those of earlier tests may be due as well.
    const all = await couriers.claim({ ...query, organizationIds: [organizationId] });
    const webhook = all.find((each) => each.organizationId === organizationId);
    if (webhook === undefined) throw new Error('it was not free');
    return webhook;
  }

  const row = () =>
    world.db
      .selectFrom('webhooks')
      .select(['owner', 'tx', 'seq', 'status', 'failing_since'])
      .where('id', '=', held.id)
      .executeTakeFirstOrThrow();
  const deliveries = () =>
    world.db
      .selectFrom('webhook_deliveries')
      .select('event_seq')
      .where('webhook_id', '=', held.id)
      .execute();
  const further = (by: number) => ({ tx: held.position.tx, seq: held.position.seq + by });
  const renew = (owner: string) =>
    couriers.renew({ held: [{ webhookId: held.id, owner }], leaseMs: LEASE_MS });

  /** Makes a delivery of the next event. */
  function advance(owner = 'one') {
    const to = further(1);
    const events = [{ ...to, type: 'job.queued' as const }];
    const move = { owner, webhookId: held.id, kind: 'event' as const };
    return couriers.advance({ ...move, from: held.position, to, events });
  }

  it('prolongs the lease of its own claim only', async () => {
    expect((await renew('one')).map(({ id }) => id)).toEqual([held.id]);
    expect(await renew('another claim')).toEqual([]);
  });

  it('makes deliveries of events once, though the answer to the first time was lost', async () => {
    expect((await advance())?.deliveries).toHaveLength(1);
    expect(await advance()).toBeNull();
    expect(await deliveries()).toHaveLength(1);
  });

  it('does not take the position back when it gives the endpoint back', async () => {
    await advance();
    const release = { owner: 'one', webhookId: held.id, handOver: false };
    await couriers.release({ ...release, to: held.position });
    expect(await row()).toMatchObject({ owner: null, ...further(1) });
    held = await claimed(held.organizationId, 'two');
    await couriers.release({ ...release, owner: 'two', to: further(5) });
    expect(await row()).toMatchObject({ owner: null, ...further(5) });
  });

  it.each(['disabled_at', 'deleted_at'] as const)(
    'holds it no longer once the organization is not in force (%s)',
    async (column) => {
      await world.db
        .updateTable('organizations')
        .set({ [column]: 1 })
        .where('id', '=', held.organizationId)
        .execute();
      expect(await renew('one')).toEqual([]);
      expect(await advance()).toBeNull();
      expect(await deliveries()).toEqual([]);
    },
  );

  it('judges the address that it sent to, not the one that has replaced it', async () => {
    const { store } = world;
    const { id: webhookId, url, organizationId } = held;
    await couriers.noteHealth({ webhookId, url, failing: true });
    expect((await row()).failing_since).not.toBeNull();
    const manager = { organizationId, envScopes: null, allowedActions: null };
    const change = { manager, webhookId, actor: ACTOR };
    await store.webhooks.update({ ...change, url });
    expect((await row()).failing_since).not.toBeNull();
    await store.webhooks.update({ ...change, url: 'https://receiver.example/new' });
    expect((await row()).failing_since).toBeNull();
    await couriers.noteHealth({ webhookId, url, failing: true });
    expect((await row()).failing_since).toBeNull();
    const disabling = { webhookId, url, reason: 'gone' as const, letters: [] };
    expect(await store.webhookDisabling.disable(disabling)).toBe(false);
    expect((await row()).status).toBe('ENABLED');
  });
});
