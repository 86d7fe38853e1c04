import type { AuditAct } from '@changgu/contract';
import { auditActText } from '@changgu/contract/audit-acts';
import { expect, it } from 'vitest';
import type { Actor } from '../rules/principals/actor.ts';
import type { Store } from '../store/database.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import { seedOrganization } from '../store/testing/seed.ts';
import type { Act } from '../store/transactions/act.ts';
import { exportChain } from './export-chain.ts';
import { exportAudit, readAudit } from './read-audit.ts';
import { createSealer } from './sealer.ts';
import { verifyAudit } from './verify-audit.ts';

const actor: Actor = {
  kind: 'console_user',
  id: '7',
  traceId: 'trc_1',
  address: '203.0.113.7',
  userAgent: 'test/1',
};

it('an act without a text for people cannot be recorded', () => {
  // @ts-expect-error: it has no row in the contract's table.
  const nameless: Act['act'] = 'job.nameless';
  expect(auditActText(nameless, 'ko')).toBe('job.nameless');
});

describeStores('the hash chain of the audit log', (stores) => {
  const record = (store: Store, organizationId: number | null, act: AuditAct) =>
    store.audit.record({ actor, organizationId, act, target: 'x', details: { n: 1 } });
  const seal = (store: Store) => createSealer(store, () => 0)();

  it('seals the rows of each organization, whatever order they were written in', async () => {
    const store = await stores.open();
    const [a, b] = [await seedOrganization(stores), await seedOrganization(stores)];
    await record(store, a, 'job.submit');
    await record(store, b, 'job.take_effect');
    await record(store, null, 'keys.rotate');
    await record(store, a, 'job.cancel');
    expect((await readAudit(store, { organization_id: a })).items[0]).toMatchObject({
      address: '203.0.113.7',
      user_agent: 'test/1',
      chain_number: null,
    });
    expect(await verifyAudit(store)).toMatchObject({ sealed: 0, unsealed: 4, broken: null });
    await seal(store);
    const { items } = await readAudit(store, { organization_id: a });
    expect(items.map(({ act, chain_number }) => [act, chain_number])).toEqual([
      ['job.cancel', 2],
      ['job.submit', 1],
    ]);
    const verified = await verifyAudit(store);
    expect(verified).toMatchObject({ sealed: 4, unsealed: 0, broken: null });
    expect(new Map(verified.heads.map(({ scope, number }) => [scope, number]))).toEqual(
      new Map([
        [String(a), 2],
        [String(b), 1],
        ['service', 1],
      ]),
    );
  });

  it('is sealed once when processes seal at the same time', async () => {
    const stores2 = [await stores.open(), await stores.open()];
    const organizationId = await seedOrganization(stores);
    const [store] = stores2;
    if (store === undefined) throw new Error('no store');
    await Promise.all(
      Array.from({ length: 40 }, () => record(store, organizationId, 'job.submit')),
    );
    await Promise.all(stores2.map(seal));
    const { items } = await readAudit(store, { organization_id: organizationId, limit: 100 });
    const numbers = items.map(({ chain_number }) => chain_number ?? 0).sort((x, y) => x - y);
    expect(numbers).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
    expect((await verifyAudit(store)).broken).toBeNull();
  });

  it('seals a row that is committed after rows with higher ids, until no transaction can be so old', async () => {
    const store = await stores.open();
    const organizationId = await seedOrganization(stores);
    let now = 0;
    const sealMore = createSealer(store, () => now);
    await record(store, organizationId, 'job.submit');
    await sealMore();
    const [newest] = (await readAudit(store, { organization_id: organizationId })).items;
    const id = newest?.audit_id ?? 0;
    const chain = async () =>
      (await readAudit(store, { organization_id: organizationId })).items
        .filter(({ chain_number: number }) => number !== null)
        .sort((a, b) => (a.chain_number ?? 0) - (b.chain_number ?? 0))
        .map(({ audit_id }) => audit_id - id);
    await recordAs(id + 5, organizationId);
    await sealMore();
    await recordAs(id + 3, organizationId);
    await sealMore();
    await recordAs(id + 2, organizationId);
    await recordAs(id + 4, organizationId);
    await sealMore();
    expect(await chain()).toEqual([0, 5, 3, 2, 4]);
    now = 16_000;
    await sealMore();
    await recordAs(id + 1, organizationId);
    await sealMore();
    expect(await chain()).toEqual([0, 5, 3, 2, 4]);
    expect((await verifyAudit(store)).broken).toBeNull();
    await seal(store);
    expect(await chain()).toEqual([0, 5, 3, 2, 4, 1]);
  });

  it('looks at a row once, whichever process sealed it', async () => {
    const store = await stores.open();
    const organizationId = await seedOrganization(stores);
    const lookedAt: number[] = [];
    const look: Store['audit']['look'] = async (input) => {
      const seen = await store.audit.look(input);
      lookedAt.push(seen.next.length + seen.late.length);
      return seen;
    };
    const other = createSealer({ audit: { ...store.audit, look } }, () => 0);
    await seal(store);
    await other();
    lookedAt.length = 0;
    for (const act of ['job.submit', 'job.cancel'] as const) {
      await record(store, organizationId, act);
      await seal(store);
      await other();
    }
    expect(lookedAt).toEqual([1, 1]);
  });

  it('is exported in the order of sealing, and continued after any record', async () => {
    const store = await stores.open();
    const lines: { seq: number; act: string; chain_hash: string }[] = [];
    for await (const line of exportChain(store, { after: 0 })) {
      lines.push(JSON.parse(line));
    }
    expect(lines.length).toBeGreaterThan(40);
    expect(lines[0]).toMatchObject({ address: '203.0.113.7', chain_number: 1 });
    const rest: string[] = [];
    const after = lines.at(-2)?.seq ?? 0;
    for await (const line of exportChain(store, { after })) rest.push(line);
    expect(rest).toHaveLength(1);
    expect(JSON.parse(rest[0] ?? '')).toEqual(lines.at(-1));
  });

  it('filters by act, actor, target and time, in pages and as JSON lines', async () => {
    const store = await stores.open();
    const organization_id = await seedOrganization(stores);
    await record(store, organization_id, 'job.submit');
    await record(store, organization_id, 'job.cancel');
    const acts = async (query: object) =>
      (await readAudit(store, { organization_id, ...query })).items.map(({ act }) => act);
    expect(await acts({ act: 'job.submit' })).toEqual(['job.submit']);
    expect(await acts({ actor_id: '8' })).toEqual([]);
    expect(await acts({ target: 'x' })).toEqual(['job.cancel', 'job.submit']);
    expect(await acts({ from: '2200-01-01T00:00:00Z' })).toEqual([]);
    expect(await acts({ until: '2200-01-01T00:00:00Z' })).toHaveLength(2);
    let exported = '';
    for await (const lines of exportAudit(store, { organization_id })) exported += lines;
    expect(
      exported
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).act),
    ).toEqual(['job.cancel', 'job.submit']);
  });

  it('shows the first row that was changed, and a chain that was cut short', async () => {
    const store = await stores.open();
    const organizationId = await seedOrganization(stores);
    await record(store, organizationId, 'job.submit');
    await record(store, organizationId, 'job.cancel');
    await seal(store);
    const before = await verifyAudit(store);
    expect(before.broken).toBeNull();
    const { items } = await readAudit(store, { organization_id: organizationId });
    await withoutTriggers(`update audit set details = '{"n":2}' where id = ${items[1]?.audit_id}`);
    expect((await verifyAudit(store)).broken).toMatchObject({
      scope: String(organizationId),
      number: 1,
      audit_id: items[1]?.audit_id,
      reason: 'the row was changed',
    });
    await withoutTriggers(`update audit set details = '{"n":1}' where id = ${items[1]?.audit_id}`);
    await withoutTriggers(`delete from audit_chain where audit_id = ${items[0]?.audit_id}`);
    expect((await verifyAudit(store)).broken).toBeNull();
    expect((await verifyAudit(store, before.heads)).broken).toMatchObject({
      scope: String(organizationId),
      reason: 'the end of the chain was cut off',
    });
  });

  /** A row whose transaction took its id long ago. */
  async function recordAs(id: number, organizationId: number): Promise<void> {
    const given = stores.dialect === 'postgres' ? 'overriding system value' : '';
    await stores.execute(
      `insert into audit (id, at, actor_kind, actor_id, organization_id, act, details)
       ${given} values (?, 0, 'console_user', '7', ?, 'late.act', '{}')`,
      [id, organizationId],
    );
    if (stores.dialect === 'sqlite') return;
    await stores.execute(
      "select setval(pg_get_serial_sequence('audit', 'id'), (select max(id) from audit))",
    );
  }

  /** As the owner of the database could. */
  async function withoutTriggers(statement: string): Promise<void> {
    const guards: readonly string[] =
      stores.dialect === 'sqlite'
        ? ['audit_no_update', 'audit_chain_no_delete'].map(
            (name) => `drop trigger if exists ${name}`,
          )
        : ['alter table audit disable trigger all', 'alter table audit_chain disable trigger all'];
    for (const guard of guards) await stores.execute(guard, []);
    await stores.execute(statement, []);
  }
});
