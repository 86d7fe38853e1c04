import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { draftUsageInvoices } from '../src/billing/draft-usage-invoices.ts';
import { DEFAULT_SETTINGS } from '../src/config/settings.ts';
import { describeStores } from '../src/store/testing/describe-stores.ts';
import { callerWith, newPerson, type Person } from './support/people.ts';
import { startTestServer, type TestServer } from './support/start-server.ts';

const INVOICES = '/v1/billing/invoices';
const PAYMENT = {
  PAYMENT_URL: 'https://pay.example',
  PAYMENT_CLIENT_KEY: 'ck_of_the_environment',
  PAYMENT_SECRET_KEY: 'sk',
};
const DAY = 86_400;
const inProduction = { 'x-env-scope': 'production' };

describeStores('billing', (stores) => {
  let server: TestServer;
  let admin: Person['call'];

  beforeAll(async () => {
    server = await startTestServer({
      env: { DATABASE_URL: await stores.url(), MASTER_KEY: 'ef'.repeat(32), ...PAYMENT },
    });
    admin = callerWith(server, server.adminToken);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const item = (amount: number, more: object = {}) => ({
    description: '항목',
    quantity: 1,
    unit_amount_minor: amount,
    amount_minor: amount,
    item_kind: 'ONE_TIME',
    ...more,
  });

  const invoice = (organizationId: number, more: object = {}) => ({
    organization_id: organizationId,
    env_scope: 'production',
    subtotal_amount_minor: 1000,
    tax_amount_minor: 100,
    total_amount_minor: 1100,
    items: [item(1000)],
    ...more,
  });

  const record = (organizationId: number, more: object = {}) =>
    admin('POST', '/v1/admin/invoices', invoice(organizationId, more));

  const move = (id: number, verb: string, body?: object) =>
    admin('POST', `/v1/admin/invoices/${id}/${verb}`, body);

  const list = (person: Person, query = '') =>
    server.call('GET', `${INVOICES}${query}`, {
      env: 'production',
      headers: { authorization: `Bearer ${person.token}` },
    });

  it('refuses a time without an offset (R102)', async () => {
    const { organizationId } = await newPerson(server);
    const naive = await record(organizationId, { created_at: '2026-11-21T09:00:00' });
    expect(naive.status).toBe(422);
    expect(naive.body.error.fields[0]).toMatchObject({
      loc: ['body', 'created_at'],
      type: 'timezone_aware',
    });
    const unreal = await record(organizationId, { created_at: '2026-02-29T09:00:00+09:00' });
    expect(unreal.body.error.fields[0]).toMatchObject({
      loc: ['body', 'created_at'],
      type: 'datetime_parsing',
    });
    const aware = await record(organizationId, { created_at: '2026-11-21T00:00:00Z' });
    expect(aware.body.created_at).toBe('2026-11-21T09:00:00.000+09:00');
  });

  it('takes the currency of an item, as its record has it, and no other (D111)', async () => {
    const { organizationId } = await newPerson(server);
    const inWon = await record(organizationId, { items: [item(1000, { currency: 'KRW' })] });
    expect(inWon.status).toBe(201);
    expect(inWon.body.items).toMatchObject([{ currency: 'KRW', amount_minor: 1000 }]);
    const other = await record(organizationId, { items: [item(1000, { currency: 'USD' })] });
    expect(other.body.error.fields).toMatchObject([
      { loc: ['body', 'items', 0, 'currency'], type: 'literal_error' },
    ]);
  });

  it('refuses sums that do not hold (R103, D113)', async () => {
    const { organizationId } = await newPerson(server);
    const refused = [
      { total_amount_minor: 1101 },
      { items: [item(1000, { quantity: 2 })] },
      { items: [item(999)] },
      { items: [item(1000), item(200, { item_kind: 'TAX_ADJUSTMENT' })] },
    ];
    for (const wrong of refused) {
      expect((await record(organizationId, wrong)).status, JSON.stringify(wrong)).toBe(422);
    }
    const discounted = await record(organizationId, {
      items: [item(1200), item(200, { item_kind: 'DISCOUNT' })],
    });
    expect(discounted.status).toBe(201);
    expect(discounted.body.invoice_number).toMatch(/^INV-\d{6}-[0-9A-Z]{6}$/);
    expect(discounted.body).toMatchObject({ status: 'DRAFT', issued_at: null, currency: 'KRW' });
  });

  it('no two invoices have one number (D114)', async () => {
    const { organizationId } = await newPerson(server);
    const [first, second] = [await record(organizationId), await record(organizationId)];
    const taken = `update invoices set invoice_number = '${first.body.invoice_number}'`;
    await expect(stores.execute(`${taken} where id = ${second.body.invoice_id}`)).rejects.toThrow(
      /unique/i,
    );
  });

  it('numbers an invoice by the Korean month of its creation, also one recorded later (D114)', async () => {
    const { organizationId } = await newPerson(server);
    const numbered = async (created_at: string) =>
      (await record(organizationId, { created_at })).body.invoice_number;
    expect(await numbered('2026-01-31T23:59:59.999+09:00')).toMatch(/^INV-202601-/);
    expect(await numbered('2026-01-31T15:00:00Z')).toMatch(/^INV-202602-/);
  });

  it('gives a period to subscription-like items only', async () => {
    const { organizationId } = await newPerson(server);
    const period = { period_start: '2026-10-01T00:00:00+09:00', period_end: null };
    const refused = await record(organizationId, { items: [item(1000, period)] });
    expect([refused.status, refused.body.error.fields[0].loc]).toEqual([
      422,
      ['body', 'items', 0, 'period_start'],
    ]);
    const kind = { item_kind: 'SUBSCRIPTION' };
    const { body } = await record(organizationId, { items: [item(1000, { ...period, ...kind })] });
    expect(body.items[0].period_start).toBe('2026-10-01T00:00:00.000+09:00');
  });

  it('the database itself refuses a wrong total (R103)', async () => {
    const { organizationId } = await newPerson(server);
    const { body } = await record(organizationId);
    await expect(
      stores.execute(`update invoices set total_amount = 1 where id = ${body.invoice_id}`),
    ).rejects.toThrow();
  });

  it('moves an invoice from draft to its refund, with its times (D112)', async () => {
    const { organizationId } = await newPerson(server);
    const { invoice_id: id } = (await record(organizationId)).body;
    expect((await move(id, 'pay')).body.error.code).toBe('CONFLICT_STATE');
    expect((await move(id, 'open')).body).toMatchObject({ status: 'OPEN' });
    const paid = await move(id, 'pay');
    expect(paid.body.issued_at).not.toBeNull();
    expect(paid.body.paid_at).not.toBeNull();
    expect((await move(id, 'void')).status).toBe(409);
    expect((await move(id, 'refund', { amount_minor: 1200 })).status).toBe(409);
    expect((await move(id, 'refund', { amount_minor: 100 })).body.status).toBe(
      'PARTIALLY_REFUNDED',
    );
    // A repeated request must not refund twice.
    const again = await move(id, 'refund', { amount_minor: 100 });
    expect(again.body.error).toMatchObject({
      code: 'CONFLICT_STATE',
      message: expect.stringContaining('1000'),
    });
    expect((await move(id, 'refund', {})).body.status).toBe('REFUNDED');
    expect((await move(id, 'refund', {})).status).toBe(409);
    const empty = await record(organizationId, { items: [] });
    expect((await move(empty.body.invoice_id, 'open')).status).toBe(409);
  });

  it('takes the environment from the header and several statuses as OR (R104, D111)', async () => {
    const person = await newPerson(server);
    const first = (await record(person.organizationId)).body;
    await record(person.organizationId, { env_scope: 'real_test' });
    const third = (await record(person.organizationId)).body;
    await move(third.invoice_id, 'void');
    const ids = async (query: string) =>
      (await list(person, query)).body.items.map((each: { invoice_id: number }) => each.invoice_id);
    expect(await ids('?env_scope=real_test')).toEqual([third.invoice_id, first.invoice_id]);
    expect(await ids('?status=DRAFT')).toEqual([first.invoice_id]);
    expect(await ids('?status=DRAFT&status=VOID')).toEqual([third.invoice_id, first.invoice_id]);
    expect((await list(person, '?limit=0')).status).toBe(422);
    expect((await list(person, '?limit=101')).status).toBe(422);
    expect((await list(person, '?cursor=bm9uZQ')).status).toBe(400);
    // A cursor is only valid with the filters that it came from.
    const { next_cursor } = (await list(person, '?limit=1')).body;
    expect((await list(person, `?limit=1&cursor=${next_cursor}`)).status).toBe(200);
    expect((await list(person, `?status=DRAFT&cursor=${next_cursor}`)).status).toBe(400);
    expect((await list(person, `?limit=1&cursor=${next_cursor}!`)).status).toBe(400);
  });

  it('walks every invoice once while others come in (R105)', async () => {
    const person = await newPerson(server);
    const at = '2026-10-01T00:00:00Z';
    const recorded = new Set<number>();
    for (let n = 0; n < 7; n++) {
      recorded.add((await record(person.organizationId, { created_at: at })).body.invoice_id);
    }
    const seen: number[] = [];
    let cursor = '';
    do {
      const { body } = await list(person, `?limit=2${cursor}`);
      seen.push(...body.items.map((each: { invoice_id: number }) => each.invoice_id));
      await record(person.organizationId);
      cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
    } while (cursor !== '');
    expect(seen).toHaveLength(7);
    expect(new Set(seen)).toEqual(recorded);
  });

  it('neither skips nor repeats, whatever is inserted wherever between pages (R105)', async () => {
    const hour = fc.integer({ min: 0, max: 5 });
    const step = fc.record({
      limit: fc.integer({ min: 1, max: 3 }),
      inserted: fc.array(hour, { maxLength: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(hour, { maxLength: 6 }),
        fc.array(step, { minLength: 1 }),
        async (hours, steps) => {
          const person = await newPerson(server);
          const at = (hour: number) => ({ created_at: `2026-10-01T0${hour}:00:00Z`, items: [] });
          const there: number[] = [];
          for (const hour of hours) {
            there.push((await record(person.organizationId, at(hour))).body.invoice_id);
          }
          const seen: number[] = [];
          let cursor = '';
          for (let page = 0; page === 0 || cursor !== ''; page += 1) {
            const { limit, inserted } = steps[page] ?? { limit: 100, inserted: [] };
            const { body } = await list(person, `?limit=${limit}${cursor}`);
            seen.push(...body.items.map((each: { invoice_id: number }) => each.invoice_id));
            for (const hour of inserted) await record(person.organizationId, at(hour));
            cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
          }
          expect(new Set(seen).size).toBe(seen.length);
          expect(seen).toEqual(expect.arrayContaining(there));
        },
      ),
      { numRuns: 8 },
    );
  });

  it("answers 404 for another organization's invoice, and for its filters (D111)", async () => {
    const owner = await newPerson(server);
    const other = await newPerson(server);
    const { invoice_id: id } = (await record(owner.organizationId)).body;
    const authorization = `Bearer ${other.token}`;
    const options = { env: 'production', headers: { authorization } };
    expect((await server.call('GET', `${INVOICES}/${id}`, options)).status).toBe(404);
    expect((await list(other, `?organization_id=${owner.organizationId}`)).status).toBe(404);
    expect((await list(owner, `?organization_id=${owner.organizationId}`)).status).toBe(200);
    const path = `/v1/admin/organizations/${owner.organizationId}/subscription`;
    const { body: made } = await admin('POST', path, { plan_code: 'STANDARD' });
    const ofSubscription = `?subscription_id=${made.subscription_id}`;
    expect((await list(owner, ofSubscription)).status).toBe(200);
    expect((await list(other, ofSubscription)).status).toBe(404);
    expect((await list(owner, '?subscription_id=999999')).status).toBe(404);
    expect((await server.call('GET', INVOICES, { headers: inProduction })).status).toBe(403);
  });

  it('keeps an offline profile per environment, with a checked business number (D116)', async () => {
    const person = await newPerson(server);
    const path = `/v1/billing/offline-profiles/${person.organizationId}`;
    const profile = { company_name: '창구', tax_email: 'tax@example.com', payment_terms_days: 30 };
    const place = { env: 'production', headers: { authorization: `Bearer ${person.token}` } };
    const put = (business_number: string) =>
      server.call('PUT', path, { ...place, body: { ...profile, business_number } });
    expect((await put('123-45-67890')).status).toBe(422);
    const kept = {
      ...profile,
      organization_id: person.organizationId,
      env_scope: 'production',
      business_number: '1248100998',
    };
    expect((await put('124-81-00998')).body).toEqual(kept);
    expect((await server.call('GET', path, place)).body).toEqual(kept);
    expect((await person.call('GET', path)).status).toBe(404);
    expect((await person.call('GET', '/v1/billing/account')).body).toMatchObject({
      offline_profiles: [{ business_number: '1248100998', env_scope: 'production' }],
    });
  });

  it('opens a billing session for an owner, not for a key (D117)', async () => {
    const person = await newPerson(server);
    const session = await person.call('POST', '/v1/billing/auth-sessions');
    expect(session.status).toBe(201);
    expect(session.body).toMatchObject({
      customer_key: expect.stringMatching(`^cus_${person.organizationId}_`),
      client_key: PAYMENT.PAYMENT_CLIENT_KEY,
      session_proof: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect((await server.call('POST', '/v1/billing/auth-sessions')).status).toBe(403);
  });

  it('shows plans, and the subscription of an organization once there is one (D116)', async () => {
    const person = await newPerson(server);
    const plans = await person.call('GET', '/v1/billing/plans');
    expect(plans.body.items.map((plan: { plan_code: string }) => plan.plan_code)).toEqual([
      'FREE',
      'STANDARD',
    ]);
    expect((await person.call('GET', '/v1/billing/subscription')).status).toBe(404);
    const path = `/v1/admin/organizations/${person.organizationId}/subscription`;
    await admin('POST', path, { plan_code: 'STANDARD' });
    const { body } = await person.call('GET', '/v1/billing/subscription');
    expect(body).toMatchObject({
      plan_name: 'Standard',
      status: 'ACTIVE',
      env_scope: 'production',
    });
  });

  it('drafts a month from the charged tokens, and twice bills once', async () => {
    const { store } = server.core;
    const actor = { kind: 'system', id: 'test', traceId: null } as const;
    const draft = async () =>
      draftUsageInvoices({ store, plans: DEFAULT_SETTINGS.plans }, '202609', {
        now: Date.parse('2026-10-01T00:00:00+09:00'),
        actor,
      });
    await fc.assert(
      fc.asyncProperty(fc.dictionary(day(), fc.integer({ min: 1, max: 900 })), async (month) => {
        const person = await newPerson(server);
        const days = Object.entries(month);
        for (const [date, used] of days) {
          await stores.execute(
            `insert into usage (organization_id, env_scope, period, used)
             values (${person.organizationId}, 'production', 'day:2026-09-${date}', ${used})`,
          );
        }
        const { drafted } = await draft();
        const { items } = (await list(person)).body;
        const tokens = days.reduce((sum, [, used]) => sum + used, 0);
        expect(items).toHaveLength(tokens > 0 ? 1 : 0);
        if (tokens > 0) {
          expect(drafted).toContain(items[0].invoice_number);
          expect(items[0].items).toMatchObject([{ item_kind: 'USAGE', quantity: tokens }]);
          expect(items[0].total_amount_minor).toBe(
            items[0].subtotal_amount_minor + items[0].tax_amount_minor,
          );
        }
        expect(await draft()).toEqual({ drafted: [], waiting: [] });
        expect((await list(person)).body.items).toHaveLength(items.length);
      }),
      { numRuns: 5 },
    );
  });

  it('continues a renewed subscription without a gap, and expires one that was not renewed (D115)', async () => {
    const person = await newPerson(server);
    const path = `/v1/admin/organizations/${person.organizationId}/subscription`;
    const subscribe = async () => (await admin('POST', path, { plan_code: 'STANDARD' })).body;
    const read = async () => (await person.call('GET', '/v1/billing/subscription')).body;
    const first = await subscribe();
    await subscribe();
    expect(await subscribe()).toEqual(first);
    await server.advanceClock(32 * DAY);
    const second = await read();
    expect(second).toMatchObject({
      subscription_id: first.subscription_id,
      status: 'ACTIVE',
      current_period_start: first.current_period_end,
    });
    expect((await person.call('GET', '/v1/membership/me')).body.membership_tier).toBe('PAID');
    await server.advanceClock(32 * DAY);
    expect(await read()).toEqual({ ...second, status: 'EXPIRED' });
    expect((await person.call('GET', '/v1/membership/me')).body).toMatchObject({
      membership_tier: 'FREE',
      plan_name: 'Free',
      subscription_status: 'EXPIRED',
    });
    expect((await subscribe()).subscription_id).not.toBe(first.subscription_id);
  });

  it('ends a renewed period even if no server was running when it began (D115)', async () => {
    const person = await newPerson(server);
    const path = `/v1/admin/organizations/${person.organizationId}/subscription`;
    await admin('POST', path, { plan_code: 'STANDARD' });
    await admin('POST', path, { plan_code: 'STANDARD' });
    await server.advanceClock(70 * DAY);
    const { body } = await person.call('GET', '/v1/billing/subscription');
    expect(body.status).toBe('EXPIRED');
  });

  it('refuses to draft a month that is not over', async () => {
    const { store } = server.core;
    const actor = { kind: 'system', id: 'test', traceId: null } as const;
    const now = Date.parse('2026-09-30T23:59:59+09:00');
    const drafting = draftUsageInvoices({ store, plans: {} }, '202609', { now, actor });
    await expect(drafting).rejects.toMatchObject({ code: 'VALIDATION_INVALID_FIELD' });
  });
});

function day() {
  return fc.integer({ min: 1, max: 30 }).map((number) => String(number).padStart(2, '0'));
}
