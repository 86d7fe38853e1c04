import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { encryptionRing } from '../../crypto/ring-name.ts';
import { executeDueDeletions } from '../../organizations/maintain.ts';
import type { Actor } from '../../rules/principals/actor.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { createJobWorld, type JobWorld } from '../testing/job-world.ts';
import { ALL_ACTS } from '../testing/no-filter.ts';
import { draftInvoice, registerOwner, seedWebhook } from '../testing/seed.ts';
import type { Signal } from '../transactions/script.ts';

const actor: Actor = { kind: 'system', id: 'test', traceId: null };
const DUE_SECONDS = 7 * 86_400 + 1;

describeStores('deletion', (stores) => {
  it('empties an organization step by step, and waits for what still runs (D146)', async () => {
    const world = await createJobWorld(stores);
    const { store, db } = world;
    const { userId, organizationId } = await registerOwner(world.store, 'sole@example.com');
    await db
      .updateTable('organizations')
      .set({ plan_code: 'TEST', real_test_approved_at: 1 })
      .where('id', '=', organizationId)
      .execute();
    await store.organizationKeys.saveIfAbsent({
      scope: String(organizationId),
      wrapped: Buffer.from('wrapped'),
    });
    const ring = encryptionRing(organizationId, 'real_test');
    const foreign = encryptionRing(organizationId * 10, 'real_test');
    await stores.execute(
      "insert into ring_keys (ring, kid, private_key, created_at) values (?, 'k', '', 1), (?, 'f', '', 1)",
      [ring, foreign],
    );
    const webhookId = await seedWebhook(store, { organizationId, actor });
    await stores.execute(
      `insert into webhook_deliveries (webhook_id, kind, event_tx, event_seq, event_type, status, created_at)
       values (?, 'event', 0, 0, 'job.queued', 'SUCCEEDED', 0)`,
      [webhookId],
    );
    const links = [await world.link(organizationId), await world.link(organizationId, 'bank_a')];
    const job = { organizationId, linkId: links[0] ?? null };
    const running = await world.submit(job);
    const [claimed] = await world.claim('worker');
    const waiting = [await world.submit(job), await world.submit({ organizationId })];
    await store.deletions.request({
      id: randomUUID(),
      userId,
      organizationId,
      reasonText: '이제 쓰지 않습니다',
      actor,
    });
    const { id: invoiceId } = await store.invoices.record({
      invoice: draftInvoice(organizationId),
      actor,
    });
    const forgotten: string[] = [];
    const erased: string[] = [];
    const execute = () =>
      executeDueDeletions({
        store,
        vault: {
          eraseOrganizationSecret: async (id) => void erased.push(id),
          forgetOrganizationKey: (id) => void forgotten.push(id),
        },
      });
    await execute();
    expect(await store.users.find({ userId })).not.toBeNull();

    await store.clock.advance({ seconds: DUE_SECONDS });
    await execute();
    expect(await store.users.find({ userId })).toBeNull();
    expect(await Promise.all(waiting.map((id) => world.status(id)))).toEqual([
      'CANCELED',
      'CANCELED',
    ]);
    expect((await world.row(running)).cancel_requested).toBe(1);
    expect(await store.accountLinks.list({ organizationId, provider: null })).toEqual([]);
    expect(await db.selectFrom('webhooks').select('url').execute()).toEqual([]);
    expect(await db.selectFrom('webhook_deliveries').select('seq').execute()).toEqual([]);
    expect(await store.organizationKeys.load(String(organizationId))).not.toBeNull();

    if (claimed === undefined) throw new Error('nothing was claimed');
    await world.finish('worker', claimed);
    await execute();
    expect(await store.organizationKeys.load(String(organizationId))).toBeNull();
    expect(await stores.execute('select ring from ring_keys')).toEqual([{ ring: foreign }]);
    expect([erased, forgotten]).toEqual([[String(organizationId)], [String(organizationId)]]);
    while (await store.engine.purgeJobs(3_650 * 86_400_000));
    const jobs = await db
      .selectFrom('jobs')
      .select('id')
      .where('organization_id', '=', organizationId)
      .execute();
    expect(jobs).toEqual([]);
    expect(await store.invoices.find(invoiceId)).toMatchObject({ organization_id: organizationId });
    const [user] = await stores.execute('select * from users where id = ?', [userId]);
    expect(user).toMatchObject({ email: null, phone: null, password_hash: null });
    expect(JSON.stringify(user)).not.toContain('홍길동');
    const [request] = await stores.execute(
      'select status, reason_text from deletion_requests where user_id = ?',
      [userId],
    );
    expect(request).toEqual({ status: 'EXECUTED', reason_text: null });
    const audit = await store.audit.list({ ...ALL_ACTS, organizationId, limit: 20 });
    const acts = audit.map(({ act }) => act).filter((act) => act.startsWith('deletion'));
    expect(acts).toEqual(['deletion.execute', 'deletion.begin', 'deletion.request']);
  });

  it('lets a job that has passed its point of no return run to its end (D03, D146)', async () => {
    const world = await createJobWorld(stores);
    const organizationId = await world.organization();
    const past = await world.submit({ organizationId });
    const before = await world.submit({ organizationId });
    await world.claim('worker');
    await stores.execute('update jobs set submit_step_at = 1 where id = ?', [past]);
    const heard: Signal[] = [];
    const stop = world.store.onSignal((signal) => heard.push(signal));
    expect(await world.store.deletions.releaseJobs(organizationId)).toBe('running');
    stop();
    expect((await world.row(past)).cancel_requested).toBe(0);
    expect((await world.row(before)).cancel_requested).toBe(1);
    expect(heard).toContainEqual({ kind: 'cancel', jobId: before });
    expect(heard).not.toContainEqual({ kind: 'cancel', jobId: past });
  });

  it('does not withdraw an execution that has begun (D90)', async () => {
    const world = await createJobWorld(stores);
    const { store } = world;
    const { userId, organizationId } = await registerOwner(world.store, 'late@example.com');
    const request = { id: randomUUID(), userId, organizationId, reasonText: null, actor };
    await store.deletions.request(request);
    await store.clock.advance({ seconds: DUE_SECONDS });
    await store.deletions.begin(request.id);
    const withdrawal = store.deletions.withdraw({ ...request, reason: null });
    await expect(withdrawal).rejects.toMatchObject({ code: 'CONFLICT_STATE' });
    expect(await store.deletions.due()).toContain(request.id);
  });

  it('deletes one of several owners without the organization (D146)', async () => {
    const world = await createJobWorld(stores);
    const { store } = world;
    const first = await registerOwner(world.store, 'first@example.com');
    const second = await registerOwner(world.store, 'second@example.com');
    const { organizationId } = first;
    const member = { organizationId, email: 'second@example.com', role: 'OWNER', actor } as const;
    await stores.execute('update users set email_verified_at = 1');
    await store.members.add(member);
    await store.deletions.request({
      id: randomUUID(),
      userId: first.userId,
      organizationId,
      reasonText: null,
      actor,
    });
    await store.clock.advance({ seconds: DUE_SECONDS });
    await executeDueDeletions({
      store,
      vault: { eraseOrganizationSecret: async () => {}, forgetOrganizationKey: () => {} },
    });
    expect(await store.users.find({ userId: first.userId })).toBeNull();
    expect(await store.users.find({ userId: second.userId })).toMatchObject({
      organizationId,
      role: 'OWNER',
    });
  });

  it('closes the accounts of all members with the organization, so that each address is free (D146)', async () => {
    const world = await createJobWorld(stores);
    const { store, db } = world;
    const last = await registerOwner(world.store, 'last@example.com');
    const { organizationId } = last;
    const email = 'colleague@example.com';
    const colleague = await registerOwner(world.store, email);
    await db.updateTable('users').set({ email_verified_at: 1 }).execute();
    await store.members.add({ organizationId, email, role: 'ADMIN', actor });
    const request = { organizationId, reasonText: null, actor };
    const id = randomUUID();
    await store.deletions.request({ ...request, id, userId: last.userId });
    await store.deletions.request({ ...request, id: randomUUID(), userId: colleague.userId });
    await store.clock.advance({ seconds: DUE_SECONDS });
    await store.deletions.begin(id);
    expect(await store.users.find({ userId: colleague.userId })).toBeNull();
    const personal = ['email', 'name', 'phone', 'password_hash'] as const;
    expect(
      await db
        .selectFrom('users')
        .select(personal)
        .where('id', '=', colleague.userId)
        .executeTakeFirst(),
    ).toEqual({ email: null, name: '탈퇴한 사용자', phone: null, password_hash: null });
    const again = await registerOwner(world.store, email);
    const told = await db
      .selectFrom('audit')
      .select(['act', 'target'])
      .where('organization_id', '=', organizationId)
      .where('act', '=', 'member.remove')
      .execute();
    expect(told).toEqual([{ act: 'member.remove', target: String(colleague.userId) }]);
    const vault = { eraseOrganizationSecret: async () => {}, forgetOrganizationKey: () => {} };
    await executeDueDeletions({ store, vault });
    expect(await store.deletions.due()).toEqual([]);
    expect(await store.users.find({ userId: again.userId })).toMatchObject({ email });
  });

  it('keeps nothing that people wrote or are called, but whom there is to invoice (D146)', async () => {
    const world = await createJobWorld(stores);
    const { store } = world;
    const NAME = '성춘향';
    const billed = await registerOwner(world.store, 'billed@example.com');
    const free = await registerOwner(world.store, 'free@example.com');
    await store.invoices.record({ invoice: draftInvoice(billed.organizationId), actor });
    const ids = [billed.organizationId, free.organizationId];
    const vault = { eraseOrganizationSecret: async () => {}, forgetOrganizationKey: () => {} };
    const invite = async (by: typeof billed, email: string) => {
      const tokenHash = randomUUID();
      const invitation = { ...by, id: randomUUID(), role: 'MEMBER', letter: null, actor } as const;
      await store.invitations.create({ ...invitation, email, tokenHash });
      return tokenHash;
    };
    for (const { userId, organizationId } of [billed, free]) {
      await stores.execute('update organizations set name = ?, business_number = ? where id = ?', [
        NAME,
        '1234567891',
        organizationId,
      ]);
      await stores.execute(
        `insert into env_access_requests (organization_id, user_id, reason_text, status, created_at)
         values (?, ?, ?, 'PENDING', 0)`,
        [organizationId, userId, NAME],
      );
      await stores.execute(
        `insert into integrator_applications
           (organization_id, user_id, company_name, contact_email, status, submitted_at)
         values (?, ?, ?, ?, 'SUBMITTED', 0)`,
        [organizationId, userId, NAME, `${NAME}@example.com`],
      );
      await stores.execute(
        `insert into offline_profiles (organization_id, env_scope, company_name, business_number,
           tax_email, payment_terms_days, updated_at) values (?, 'production', ?, '1', 'a@b', 0, 0)`,
        [organizationId, NAME],
      );
      const [withdrawn, id] = [randomUUID(), randomUUID()];
      const request = { userId, organizationId, reasonText: NAME, actor };
      await store.deletions.request({ ...request, id: withdrawn });
      await store.deletions.withdraw({ ...request, id: withdrawn, reason: NAME });
      await store.deletions.request({ ...request, id });
    }
    await invite(free, 'stranger@example.com');
    const other = await registerOwner(world.store, 'other@example.com');
    const tokenHash = await invite(other, 'joined@example.com');
    const joined = await store.invitations.accept({
      tokenHash,
      user: { name: NAME, passwordHash: 'hash' },
      origin: { traceId: 't' },
    });
    const open = await invite(free, 'joined@example.com');
    await store.members.remove({ ...joined, by: joined.userId, actor });
    const invited = () =>
      stores.execute('select email, token_hash from invitations order by email');
    // The account's own are gone; what another organization offers the address is not the account's.
    expect(await invited()).toEqual([
      { email: 'joined@example.com', token_hash: open },
      expect.objectContaining({ email: 'stranger@example.com' }),
    ]);

    await store.clock.advance({ seconds: DUE_SECONDS });
    await executeDueDeletions({ store, vault });
    expect(await invited()).toEqual([]);
    const kept = async (statement: string) =>
      (await stores.execute(statement))
        .map((row) => ({ ...row, organization_id: Number(row.organization_id) }))
        .filter(({ organization_id: id }) => ids.includes(id));
    const organizations = await kept(
      'select id as organization_id, name, business_number from organizations order by id',
    );
    expect(organizations).toEqual(
      ids.map((id) => ({ organization_id: id, name: '탈퇴한 조직', business_number: null })),
    );
    for (const table of ['env_access_requests', 'integrator_applications', 'users']) {
      expect(JSON.stringify(await stores.execute(`select * from ${table}`)), table).not.toContain(
        NAME,
      );
    }
    const texts = await stores.execute('select reason_text, cancel_reason from deletion_requests');
    expect(texts.filter((row) => Object.values(row).includes(NAME))).toEqual([]);
    // A tax invoice names its recipient.
    expect(await kept('select organization_id, company_name from offline_profiles')).toEqual([
      { organization_id: billed.organizationId, company_name: NAME },
    ]);
  });

  describe('an organization that its only member leaves', () => {
    async function leaving(world: JobWorld, email: string) {
      const left = await registerOwner(world.store, email);
      const { organizationId } = await registerOwner(world.store, `host-of-${email}`);
      await world.db.updateTable('users').set({ email_verified_at: 1 }).execute();
      const leave = () => world.store.members.add({ organizationId, email, role: 'MEMBER', actor });
      return { organizationId: left.organizationId, leave };
    }

    it('is emptied like a deleted one: no key, no result, no card is left (D146)', async () => {
      const world = await createJobWorld(stores);
      const { store, db } = world;
      const { organizationId, leave } = await leaving(world, 'leaver@example.com');
      const scope = String(organizationId);
      await store.organizationKeys.saveIfAbsent({ scope, wrapped: Buffer.from('wrapped') });
      await db
        .updateTable('organizations')
        .set({ plan_code: 'TEST', real_test_approved_at: 1 })
        .where('id', '=', organizationId)
        .execute();
      const done = await world.submit({ organizationId });
      const refused = { code: 'CONFLICT_STATE' };
      await expect(leave()).rejects.toMatchObject(refused);
      const [claimed] = await world.claim('worker');
      if (claimed === undefined) throw new Error('nothing was claimed');
      await expect(leave()).rejects.toMatchObject(refused);
      await world.finish('worker', claimed);
      await leave();

      const erased: string[] = [];
      const forgotten: string[] = [];
      const vault = {
        eraseOrganizationSecret: async (id: string) => void erased.push(id),
        forgetOrganizationKey: (id: string) => void forgotten.push(id),
      };
      await executeDueDeletions({ store, vault });
      await executeDueDeletions({ store, vault });
      expect([erased, forgotten]).toEqual([[scope], [scope]]);
      expect(await store.organizationKeys.load(scope)).toBeNull();
      while (await store.engine.purgeJobs(3_650 * 86_400_000));
      const jobs = await db.selectFrom('jobs').select('id').where('id', '=', done).execute();
      expect(jobs).toEqual([]);
    });

    it('has no open subscription, which would be invoiced for ever (D146)', async () => {
      const world = await createJobWorld(stores);
      const { organizationId, leave } = await leaving(world, 'paying@example.com');
      const set = (status: 'ACTIVE' | 'PAUSED' | 'CANCELED') =>
        world.store.subscriptions.set({
          organizationId,
          planCode: 'TEST',
          tier: 'PAID',
          status,
          actor,
        });
      for (const status of ['ACTIVE', 'PAUSED'] as const) {
        await set(status);
        await expect(leave()).rejects.toMatchObject({ code: 'CONFLICT_STATE' });
      }
      await set('CANCELED');
      expect(await leave()).toMatchObject({ role: 'MEMBER' });
    });

    it('is invoiced for the month in which it ends, and for none after (D146)', async () => {
      const world = await createJobWorld(stores);
      const { organizationId } = await registerOwner(world.store, 'paused@example.com');
      const plan = { organizationId, planCode: 'TEST', tier: 'PAID', actor } as const;
      for (const status of ['ACTIVE', 'PAUSED'] as const) {
        await world.store.subscriptions.set({ ...plan, status });
      }
      const isCharged = async () => {
        const period = { month: '2001-01', start: 100, end: Number.MAX_SAFE_INTEGER };
        const months = await world.store.usageInvoices.chargedMonths(period);
        return months.some((month) => month.organizationId === organizationId);
      };
      const closeAt = (deleted_at: number) =>
        world.db.updateTable('organizations').set({ deleted_at }).where('id', '=', organizationId);
      expect(await isCharged()).toBe(true);
      await closeAt(100).execute();
      expect(await isCharged()).toBe(true);
      await closeAt(99).execute();
      expect(await isCharged()).toBe(false);
    });
  });
});
