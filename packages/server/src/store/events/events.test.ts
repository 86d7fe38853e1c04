import { LIMITS } from '@changgu/contract';
import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, expect, it, vi } from 'vitest';
import type { Store } from '../database.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { createJobWorld, type JobWorld } from '../testing/job-world.ts';
import type { EventPosition, StoredEvent } from './event-scripts.ts';

const START: EventPosition = { tx: 0, seq: 0 };

/** As long as the longest transaction of another test on a busy machine. */
const PATIENCE = { timeout: 20_000, interval: 20 };

/** Other tests write to the same PostgreSQL, and their open transactions hold events back. */
async function readAll(store: Store, organizationId: number, from = START) {
  return vi.waitFor(async () => {
    const { events, heldBack } = await store.events.after({
      organizationId,
      ...from,
      limit: 1_000,
    });
    expect(heldBack).toBe(false);
    return events;
  }, PATIENCE);
}

const typesOf = (events: readonly StoredEvent[]) => events.map(({ type }) => type);

describeStores('events', (stores) => {
  let world: JobWorld;
  beforeAll(async () => {
    world = await createJobWorld(stores);
  });

  it('tells of every step of a job in the order in which they happened', async () => {
    const organizationId = await world.organization();
    const linkId = await world.link(organizationId);
    const jobId = await world.submit({ organizationId, linkId });
    const [job] = (await world.claim('w')).filter(({ id }) => id === jobId);
    if (job === undefined) throw new Error('not claimed');
    const run = { id: job.id, owner: 'w', attempt: job.attempt };
    await world.store.engine.progress({ ...run, progress: 40, message: 'm', steps: [] });
    await world.finish('w', job);
    const events = await readAll(world.store, organizationId);
    expect(events).toMatchObject([
      { type: 'job.queued', jobId, accountLinkId: linkId, envScope: 'real_test' },
      { type: 'job.started', data: { status: 'RUNNING', action: 'bank_b.accounts.list' } },
      { type: 'job.progressed', data: { progress: 40 } },
      { type: 'job.finished', data: { status: 'SUCCEEDED' } },
    ]);
    expect(JSON.stringify(events)).not.toContain('message');
  });

  it('names the code of a failure and nothing of what the institution said', async () => {
    const organizationId = await world.organization();
    const jobId = await world.submit({ organizationId });
    const [job] = (await world.claim('w')).filter(({ id }) => id === jobId);
    if (job === undefined) throw new Error('not claimed');
    const error = JSON.stringify({ code: 'PROVIDER_UPSTREAM_ERROR', message: 'secret words' });
    await world.finish('w', job, { status: 'FAILED', error, result: null, resultAsFile: false });
    const last = (await readAll(world.store, organizationId)).at(-1);
    expect(last?.data).toEqual({
      status: 'FAILED',
      action: 'bank_b.accounts.list',
      error_code: 'PROVIDER_UPSTREAM_ERROR',
    });
  });

  it('tells nothing of a transaction that was rolled back', async () => {
    const organizationId = await world.organization();
    const jobId = await world.submit({ organizationId });
    await expect(
      world.store.jobs.cancel({
        access: { organizationId: organizationId + 1, envScope: 'real_test', submittedBy: null },
        jobId,
      }),
    ).rejects.toThrow();
    expect(typesOf(await readAll(world.store, organizationId))).toEqual(['job.queued']);
  });

  it('tells once when a charge leaves a tenth of the quota', async () => {
    const organizationId = await world.organization();
    const charge = (usageTokens: number) => world.submit({ organizationId, usageTokens });
    await charge(899_999);
    expect(typesOf(await readAll(world.store, organizationId))).not.toContain('quota.low');
    await charge(1);
    await charge(1);
    const low = (await readAll(world.store, organizationId)).filter(
      ({ type }) => type === 'quota.low',
    );
    expect(low.map(({ data }) => data)).toMatchObject([
      { used: 900_000, limit: 1_000_000 },
      { used: 900_000, limit: 1_000_000 },
    ]);
    expect(new Set(low.map(({ data }) => data.period)).size).toBe(2);
  });

  it('tells of a link whose credential an institution refused, once', async () => {
    const organizationId = await world.organization();
    const linkId = await world.link(organizationId);
    const outcome = { status: 'FAILED', error: '{}', result: null, resultAsFile: false } as const;
    const suspension = {
      kind: 'link',
      id: linkId,
      revision: 1,
      code: 'PROVIDER_CREDENTIAL_REJECTED',
    } as const;
    for (let n = 0; n < 2; n += 1) {
      const jobId = await world.submit({ organizationId, linkId });
      const [job] = (await world.claim('w')).filter(({ id }) => id === jobId);
      if (job === undefined) throw new Error('not claimed');
      await world.finish('w', job, outcome, suspension);
    }
    const events = await readAll(world.store, organizationId);
    expect(events.filter(({ type }) => type === 'link.suspended')).toMatchObject([
      {
        accountLinkId: linkId,
        envScope: null,
        data: { provider: 'bank_b', code: 'PROVIDER_CREDENTIAL_REJECTED' },
      },
    ]);
  });

  it('continues after any place, and ends where nothing is left', async () => {
    const organizationId = await world.organization();
    for (let n = 0; n < 5; n += 1) await world.submit({ organizationId });
    const all = await readAll(world.store, organizationId);
    expect(await readAll(world.store, organizationId, all[2])).toEqual(all.slice(3));
    const latest = await world.store.events.latest(organizationId);
    expect(await readAll(world.store, organizationId, latest)).toEqual([]);
  });

  it('wakes the readers of the organization, and only after the commit', async () => {
    const organizationId = await world.organization();
    const seen = Promise.withResolvers<readonly StoredEvent[]>();
    const stop = world.store.onSignal((signal) => {
      if (signal.kind === 'event' && signal.organizationId === organizationId) {
        seen.resolve(readAll(world.store, organizationId));
      }
    });
    await world.submit({ organizationId });
    expect(typesOf(await seen.promise)).toEqual(['job.queued']);
    stop();
  });

  it('announces the end of files and certificates once, ahead of time', async () => {
    const organizationId = await world.organization();
    const jobId = await world.submit({ organizationId });
    const linkId = await world.link(organizationId);
    const now = await world.store.clock.now();
    const day = 86_400_000;
    await world.store.engine.noteExpiringArtifacts();
    await world.store.engine.noteExpiringLinks();
    await world.db
      .insertInto('artifacts')
      .values({
        id: `art_${jobId.slice(4)}`,
        job_id: jobId,
        organization_id: organizationId,
        name: 'a',
        content_type: 't',
        size_bytes: 0,
        sha256: '',
        chunk_count: 0,
        created_at: now,
        expires_at: now + LIMITS.artifactRetentionDays * day,
        bytes_removed: 0,
      })
      .execute();
    await world.db
      .updateTable('account_links')
      .set({ cert_not_after: now + 31 * day })
      .where('id', '=', linkId)
      .execute();
    const told = async () =>
      typesOf(await readAll(world.store, organizationId)).filter((type) =>
        type.endsWith('.expiring'),
      );
    expect(await told()).toEqual([]);
    await world.store.clock.advance({ seconds: 6.5 * 86_400 });
    for (let n = 0; n < 2; n += 1) {
      await world.store.engine.noteExpiringArtifacts();
      await world.store.engine.noteExpiringLinks();
    }
    expect(await told()).toEqual(['artifact.expiring', 'link.expiring']);
  });

  it('removes what is old enough, in the order in which it happened', async () => {
    const organizationId = await world.organization();
    await world.submit({ organizationId });
    await world.store.clock.advance({ seconds: 3_600 });
    await world.submit({ organizationId });
    while (await world.store.engine.purgeEvents(1_800_000));
    expect(await readAll(world.store, organizationId)).toHaveLength(1);
  });

  // PostgreSQL writes a lock into the row.
  it.runIf(stores.dialect === 'postgres')('leaves alone what is not old enough', async () => {
    const organizationId = await world.organization();
    await world.submit({ organizationId });
    expect(await world.store.engine.purgeEvents(1_800_000)).toBe(false);
    const touched = "select seq from events where xmax::text <> '0' and organization_id = ?";
    expect(await stores.execute(touched, [organizationId])).toEqual([]);
  });
});

describeStores('events of transactions side by side', (stores) => {
  it.runIf(stores.dialect === 'postgres')(
    'shows nothing while an older transaction is open, and then everything in order',
    async () => {
      const world = await createJobWorld(stores);
      const organizationId = await world.organization();
      const other = new pg.Client({ connectionString: await stores.url() });
      await other.connect();
      await other.query('begin');
      await other.query(
        `insert into events (organization_id, type, data, at) values ($1, 'key.issued', '{}', 0)`,
        [organizationId],
      );
      await world.submit({ organizationId });
      const before = await world.store.events.after({ organizationId, ...START, limit: 10 });
      expect(before).toEqual({ events: [], heldBack: true });
      await other.query('commit');
      await other.end();
      const events = await readAll(world.store, organizationId);
      expect(typesOf(events)).toEqual(['key.issued', 'job.queued']);
    },
  );

  it.runIf(stores.dialect === 'postgres')(
    'keeps its order after a dump was restored into a cluster that counts from the start',
    async () => {
      const world = await createJobWorld(stores);
      const organizationId = await world.organization();
      await world.submit({ organizationId });
      await sql`update events set tx = tx + 1000000000`.execute(world.db);
      const [last] = await world.db
        .selectFrom('events')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .execute();
      const restored = await stores.open();
      await world.submit({ organizationId });
      const events = await readAll(restored, organizationId);
      expect(events).toHaveLength(2);
      expect(events[0]?.tx).toBe(last?.tx);
      expect(await readAll(restored, organizationId, events[0])).toHaveLength(1);
    },
  );
});
