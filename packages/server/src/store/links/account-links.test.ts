import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Actor } from '../../rules/principals/actor.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { createJobWorld } from '../testing/job-world.ts';
import { ALL_ACTS } from '../testing/no-filter.ts';
import { seedOrganization } from '../testing/seed.ts';
import type { LinkDraft } from './save-links.ts';

const actor: Actor = { kind: 'system', id: 'test', traceId: null };

function draft(change: Partial<LinkDraft> = {}): LinkDraft {
  return {
    id: randomUUID(),
    provider: 'bank_b',
    purpose: 'test',
    revision: null,
    authType: 'id_password',
    identity: 'customer',
    credential: Buffer.from('sealed'),
    certificate: null,
    ownerKind: null,
    primary: 'keep',
    ...change,
  };
}

describeStores('account links', (stores) => {
  it('makes one link of one identity, whichever process is first (D99)', async () => {
    const [here, there] = [await stores.open(), await stores.open()];
    const organizationId = await seedOrganization(stores);
    const saves = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        (n % 2 ? here : there).accountLinks.save({ organizationId, drafts: [draft()], actor }),
      ),
    );
    expect(saves.filter((saved) => saved !== null)).toHaveLength(1);
    expect(await here.accountLinks.list({ organizationId, provider: null })).toHaveLength(1);
  });

  it('saves a fan-out completely or not at all (D101)', async () => {
    const store = await stores.open();
    const organizationId = await seedOrganization(stores);
    await store.accountLinks.save({ organizationId, drafts: [draft()], actor });
    const stale = [draft({ provider: 'bank_a' }), draft()];
    expect(await store.accountLinks.save({ organizationId, drafts: stale, actor })).toBeNull();
    expect(await store.accountLinks.list({ organizationId, provider: null })).toHaveLength(1);
  });

  it('lifts a suspension when the credential is replaced, and refuses a stale replacement (D51)', async () => {
    const store = await stores.open();
    const organizationId = await seedOrganization(stores);
    const first = draft();
    await store.accountLinks.save({ organizationId, drafts: [first], actor });
    await stores.execute(
      "update account_links set status = 'SUSPENDED', suspended_code = 'X' where id = ?",
      [first.id],
    );
    const replace = draft({ id: first.id, revision: 1 });
    const [saved] =
      (await store.accountLinks.save({ organizationId, drafts: [replace], actor })) ?? [];
    expect(saved?.status).toBe('ACTIVE');
    expect(await store.accountLinks.save({ organizationId, drafts: [replace], actor })).toBeNull();
  });

  it('replaces the tokens that were renewed, and nothing after unlinking (D103)', async () => {
    const store = await stores.open();
    const organizationId = await seedOrganization(stores);
    const consent = draft({ authType: 'consent', credential: Buffer.from('first') });
    await store.accountLinks.save({ organizationId, drafts: [consent], actor });
    const renew = (from: string, to: string, of = organizationId) =>
      store.accountLinks.renew({
        id: consent.id,
        organizationId: of,
        from: Buffer.from(from),
        to: Buffer.from(to),
        actor,
      });
    const stored = async () => {
      const rows = await stores.execute('select credential from account_links where id = ?', [
        consent.id,
      ]);
      return rows[0]?.credential ?? null;
    };
    const races = await Promise.all([renew('first', 'one'), renew('first', 'two')]);
    expect(races.filter(Boolean)).toHaveLength(1);
    const winner = races[0] ? 'one' : 'two';
    expect(await renew(winner, 'stranger', organizationId + 1)).toBe(false);
    expect(Buffer.from((await stored()) as Uint8Array).toString()).toBe(winner);
    const acts = await store.audit.list({
      ...ALL_ACTS,
      organizationId,
      act: 'account_link.renew',
      limit: 5,
    });
    expect(acts.map(({ target }) => target)).toEqual([consent.id]);

    await Promise.all([
      renew(winner, 'late'),
      store.unlink.unlink({ id: consent.id, organizationId, reason: 'user_request', actor }),
    ]);
    expect(await renew(winner, 'later')).toBe(false);
    expect(await renew('late', 'latest')).toBe(false);
    expect(await stored()).toBeNull();
  });

  it('keeps one primary link when several are set at once (D102)', async () => {
    const store = await stores.open();
    const organizationId = await seedOrganization(stores);
    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        store.accountLinks.save({
          organizationId,
          drafts: [draft({ identity: `p${n}`, primary: n % 2 ? 'set' : 'if_none' })],
          actor,
        }),
      ),
    );
    const links = await store.accountLinks.list({ organizationId, provider: null });
    expect(links).toHaveLength(8);
    expect(links.filter(({ isPrimary }) => isPrimary)).toHaveLength(1);
  });
});

describeStores('unlinking', (stores) => {
  const unlink = (id: string, reason: 'user_request' | 'security_incident' = 'user_request') => ({
    id,
    organizationId: null,
    reason,
    actor,
  });

  it('deletes the credential and its login sessions (R131)', async () => {
    const store = await stores.open();
    const organizationId = await seedOrganization(stores);
    const { id, identity } = draft();
    await store.accountLinks.save({ organizationId, drafts: [draft({ id })], actor });
    const session = {
      organizationId,
      accountLinkId: id,
      envScope: 'real_test',
      state: Buffer.from('sealed'),
    } as const;
    await store.portalSessions.write(session);
    const replace = draft({ id, revision: 1 });
    await store.accountLinks.save({ organizationId, drafts: [replace], actor });
    expect(await store.portalSessions.read(session)).toBeNull();
    await store.portalSessions.write(session);
    await store.unlink.unlink(unlink(id));
    expect(await store.portalSessions.read(session)).toBeNull();
    const by = { organizationId, providers: ['bank_b'], identities: [identity] };
    expect(await store.accountLinks.matching(by)).toEqual([]);
    const [row] = await stores.execute('select * from account_links where id = ?', [id]);
    expect(row).toMatchObject({ status: 'UNLINKED', credential: null, identity: null });
  });

  it('cancels waiting jobs in every environment; running ones continue (D105)', async () => {
    const world = await createJobWorld(stores);
    const organizationId = await world.organization();
    const linkId = await world.link(organizationId);
    const jobs = [];
    for (const envScope of ['real_test', 'real_test', 'real_test', 'production'] as const) {
      jobs.push(await world.submit({ organizationId, linkId, envScope }));
    }
    const [running] = await world.claim('worker', { limit: 1 });
    const { more } = await world.store.unlink.unlink(unlink(linkId));
    expect(more).toBe(false);
    const states = await Promise.all(jobs.map((id) => world.status(id)));
    expect(states.filter((state) => state === 'CANCELED')).toHaveLength(3);
    expect(states.filter((state) => state === 'RUNNING')).toHaveLength(1);
    if (running === undefined) throw new Error('nothing was claimed');
    expect((await world.row(running.id)).cancel_requested).toBe(0);
    expect(await world.finish('worker', running)).toBe(true);
  });

  it('stops running jobs after a security incident, except past the point of no return (D105)', async () => {
    const world = await createJobWorld(stores);
    const organizationId = await world.organization();
    const [one, two] = [await world.link(organizationId), await world.link(organizationId)];
    const [job, past] = [
      await world.submit({ organizationId, linkId: one }),
      await world.submit({ organizationId, linkId: two }),
    ];
    await world.claim('worker');
    const run = { id: past, owner: 'worker', attempt: 0 };
    await world.store.engine.passPointOfNoReturn(run);
    await world.store.unlink.unlink(unlink(one, 'security_incident'));
    await world.store.unlink.unlink(unlink(two, 'security_incident'));
    expect((await world.row(job)).cancel_requested).toBe(1);
    expect((await world.row(past)).cancel_requested).toBe(0);
    const told = await world.db
      .selectFrom('job_events')
      .select('job_id')
      .where('kind', '=', 'cancel_requested')
      .execute();
    expect(told).toEqual([{ job_id: job }]);
  });

  it('cancels what one transaction left when it is called again', {
    timeout: 60_000,
  }, async () => {
    const world = await createJobWorld(stores);
    const organizationId = await world.organization();
    const linkId = await world.link(organizationId);
    for (let n = 0; n < 160; n += 1) await world.submit({ organizationId, linkId });
    let { more } = await world.store.unlink.unlink(unlink(linkId));
    expect(more).toBe(true);
    while (more) more = await world.store.unlink.cancelWaiting(linkId);
    const left = await world.db
      .selectFrom('jobs')
      .select('id')
      .where('account_link_id', '=', linkId)
      .where('status', '<>', 'CANCELED')
      .execute();
    expect(left).toEqual([]);
  });

  it('leaves no waiting job and no lane without a head when submissions race it', async () => {
    const world = await createJobWorld(stores);
    const organizationId = await world.organization();
    for (let round = 0; round < 5; round += 1) {
      const linkId = await world.link(organizationId);
      const submits = Array.from({ length: 10 }, () => world.submit({ organizationId, linkId }));
      const [, ...settled] = await Promise.allSettled([
        world.store.unlink.unlink(unlink(linkId)),
        ...submits,
        world.store.unlink.unlink(unlink(linkId)),
      ]);
      expect(settled).toHaveLength(11);
      const waiting = await world.db
        .selectFrom('jobs')
        .select(['status', 'ready'])
        .where('account_link_id', '=', linkId)
        .where('status', '=', 'QUEUED')
        .execute();
      expect(waiting).toEqual([]);
    }
  });
});
