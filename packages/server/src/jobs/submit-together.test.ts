import pg from 'pg';
import { beforeAll, expect, it, vi } from 'vitest';
import type { Store } from '../store/database.ts';
import { encryptedFieldsPlace } from '../store/schema/sealed-places.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import { markUnlinked, seedLink } from '../store/testing/seed.ts';
import { openJobHarness } from './testing/job-harness.ts';

/** Larger than one batch, so that more than one is in flight. */
const MANY = 48;

describeStores('submissions that come at once', (stores) => {
  let store: Store;
  beforeAll(async () => {
    store = await stores.open();
  });

  it('are one job each, in their lanes, with one head in every lane (R1, R29)', async () => {
    const harness = await openJobHarness(stores, store);
    const provider = 'tax_portal';
    const links: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      links.push(await seedLink(stores, harness.organizationId, { provider }));
    }
    const answers = await Promise.all(
      Array.from({ length: MANY }, (_, n) =>
        harness.submit({ accountLinkId: links[n % 3] ?? null, ...FREE }),
      ),
    );
    expect(new Set(answers.map(({ response }) => response.job_id)).size).toBe(MANY);
    const rows = await stores.execute(
      `select lane, ready, waited_behind from jobs where organization_id = ? order by seq`,
      [harness.organizationId],
    );
    for (const link of links) {
      const lane = rows.filter((row) => row.lane === `${link}:sandbox`);
      expect(lane.map((row) => Number(row.ready))).toEqual(lane.map((_, n) => (n === 0 ? 1 : 0)));
      expect(lane.map((row) => Number(row.waited_behind))).toEqual(lane.map((_, n) => n));
    }
  });

  it('are answered by one job when they are the same (R18)', async () => {
    const harness = await openJobHarness(stores, store);
    const answers = await Promise.all(
      Array.from({ length: MANY }, () => harness.submit({ idempotencyKey: 'same' })),
    );
    expect(new Set(answers.map(({ response }) => response.job_id)).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  });

  it('spend the last tokens and no more, one refused for each that finds none (R19)', async () => {
    const plans = { FREE: { real_test: { daily: 10, monthly: null }, production: NOTHING } };
    const harness = await openJobHarness(stores, store, { rules: { plans } });
    await seedLink(stores, harness.organizationId, { primary: true });
    const answers = await Promise.allSettled(
      Array.from({ length: MANY }, () => harness.submit({ envScope: 'real_test' })),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    for (const used of Object.values(await harness.usedTokens('real_test'))) expect(used).toBe(10);
  });

  it('keep what is sealed, byte for byte', async () => {
    const harness = await openJobHarness(stores, store);
    await seedLink(stores, harness.organizationId, { primary: true });
    const encryptedFields = { account_password: 'AAAA'.repeat(10) };
    await Promise.all(
      Array.from({ length: 2 }, () => harness.submit({ envScope: 'real_test', encryptedFields })),
    );
    const [job] = await harness.claim('real_test');
    const place = encryptedFieldsPlace(job?.id ?? '');
    const sealed = job?.encryptedFields ?? new Uint8Array();
    const opened = await harness.vault.open(String(harness.organizationId), place, sealed);
    expect(JSON.parse(Buffer.from(opened).toString())).toEqual(encryptedFields);
  });

  it('are refused one by one when their organization is gone', async () => {
    const harness = await openJobHarness(stores, store);
    await stores.execute('delete from organizations where id = ? returning id', [
      harness.organizationId,
    ]);
    const answers = await Promise.allSettled([harness.submit(), harness.submit()]);
    for (const answer of answers) {
      expect(answer).toMatchObject({ reason: { code: 'AUTH_INVALID_CREDENTIALS' } });
    }
  });

  it('are accepted without the one that the database refuses', async () => {
    const harness = await openJobHarness(stores, store);
    await seedLink(stores, harness.organizationId, { primary: true });
    await stores.execute(
      stores.dialect === 'sqlite'
        ? `create trigger refuse before insert on jobs when new.idempotency_key = 'refused'
             begin select raise(abort, 'refused'); end`
        : `alter table jobs add constraint refuse check (idempotency_key <> 'refused') not valid`,
    );
    const keys = ['first', 'refused', 'last'];
    const answers = await Promise.allSettled(
      keys.map((idempotencyKey) => harness.submit({ envScope: 'real_test', idempotencyKey })),
    );
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const rows = await stores.execute(
      'select idempotency_key as key from jobs where organization_id = ? order by key',
      [harness.organizationId],
    );
    expect(rows).toEqual([{ key: 'first' }, { key: 'last' }]);
    for (const used of Object.values(await harness.usedTokens('real_test'))) expect(used).toBe(2);
  });

  if (stores.dialect === 'sqlite') return;

  /** Holds a lane as a transaction of another process would. */
  async function holdLane(lane: string) {
    const client = new pg.Client({ connectionString: await stores.url() });
    await client.connect();
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`lane:${lane}`]);
    return { release: () => client.end() };
  }

  it('share a transaction', async () => {
    const harness = await openJobHarness(stores, store);
    await Promise.all(Array.from({ length: MANY }, () => harness.submit(FREE)));
    const rows = await stores.execute(
      'select distinct xmin::text as tx from jobs where organization_id = ?',
      [harness.organizationId],
    );
    expect(rows).toHaveLength(2);
  });

  it('do not wait for the one whose lane is held', async () => {
    const harness = await openJobHarness(stores, store);
    const link = await seedLink(stores, harness.organizationId);
    const holder = await holdLane(`${link}:sandbox`);
    try {
      const order: string[] = [];
      const [held] = await Promise.allSettled([
        harness.submit({ accountLinkId: link }).finally(() => order.push('held')),
        Promise.all([harness.submit(FREE), harness.submit(FREE)]).then(() => order.push('others')),
      ]);
      expect(held).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } });
      expect(order).toEqual(['others', 'held']);
    } finally {
      await holder.release();
    }
  });

  it('are decided again when a link goes while its lane is waited for, and charged once (D19)', async () => {
    const harness = await openJobHarness(stores, store);
    const { organizationId } = harness;
    const link = await seedLink(stores, organizationId);
    const other = await seedLink(stores, organizationId);
    const holder = await holdLane(`${link}:real_test`);
    const answers = Promise.allSettled(
      [link, other].map((accountLinkId) =>
        harness.submit({ envScope: 'real_test', accountLinkId }),
      ),
    );
    await vi.waitFor(async () => {
      const waits = await stores.execute(
        `select 1 from pg_locks where locktype = 'advisory' and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      );
      expect(waits).toHaveLength(1);
    }, 20_000);
    await markUnlinked(stores, link);
    await holder.release();
    expect(await answers).toMatchObject([
      { reason: { code: 'ACCOUNT_LINK_NOT_FOUND' } },
      { value: { replayed: false } },
    ]);
    for (const used of Object.values(await harness.usedTokens('real_test'))) expect(used).toBe(1);
  });
});

const NOTHING = { daily: 0, monthly: 0 };
const FREE = {
  action: 'tax_portal.c1.certificates_list',
  params: { business_registration_no: '1' },
};
