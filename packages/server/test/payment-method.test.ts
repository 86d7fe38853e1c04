import { Changgu } from '@changgu/sdk';
import { demoPaymentMerchant, type Simulators, startSimulators } from '@changgu/simulators';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { billingKeyPlace } from '../src/store/schema/sealed-places.ts';
import { describeStores } from '../src/store/testing/describe-stores.ts';
import { ALL_ACTS } from '../src/store/testing/no-filter.ts';
import { CARD_NUMBER, typeCard } from './support/card-page.ts';
import { type DroppingProxy, startDroppingProxy } from './support/dropping-proxy.ts';
import { errorOf, statusesOf } from './support/outcomes.ts';
import { bearer, newPerson } from './support/people.ts';
import { startTestServer, type TestServer } from './support/start-server.ts';

const ISSUE = '/v1/billing/authorizations/issue';
const METHOD = '/v1/billing/payment-method';

describeStores('a means of payment', (stores) => {
  const log: string[] = [];
  let simulators: Simulators;
  let proxy: DroppingProxy;
  let server: TestServer;

  beforeAll(async () => {
    simulators = await startSimulators({ now: Date.now });
    proxy = await startDroppingProxy(simulators.urls.payment);
    server = await startTestServer({
      env: { DATABASE_URL: await stores.url(), MASTER_KEY: 'ab'.repeat(32) },
      simulatedPayment: async () => ({ url: proxy.url, ...demoPaymentMerchant }),
      log,
    });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await proxy.close();
    await simulators.close();
  });

  /** A person with an open session who has entered a card at the provider. */
  async function payer() {
    const person = await newPerson(server);
    const client = new Changgu({ baseUrl: server.url, token: person.token, maxRetries: 0 });
    return { ...person, client, ...(await cardOf(client)) };
  }

  async function cardOf(client: Changgu) {
    const session = await client.billing.createAuthSession();
    expect(session.cardPageUrl).toBe(`${proxy.url}/billing/auth`);
    const registration = async () => {
      const back = await typeCard(simulators.urls.payment, session);
      return {
        customerKey: back.searchParams.get('customer_key') ?? '',
        sessionProof: session.sessionProof,
        authKey: back.searchParams.get('auth_key') ?? '',
      };
    };
    return { session, registration };
  }

  const wire = (body: { customerKey: string; sessionProof: string; authKey: string }) => ({
    customer_key: body.customerKey,
    session_proof: body.sessionProof,
    auth_key: body.authKey,
  });

  async function control(path: string, body: object): Promise<void> {
    const answer = await fetch(`${simulators.controlUrl}/payment/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }

  async function exchanges(): Promise<number> {
    const report = await (await fetch(`${simulators.controlUrl}/payment/log`)).json();
    return report.requests.filter(({ path }: { path: string }) => path === ISSUE).length;
  }

  const rowsOf = (organizationId: number) =>
    stores.execute(
      `select customer_key, billing_key, replaced_at from payment_methods
       where organization_id = ${organizationId} order by id`,
    );

  const actsOf = (organizationId: number) =>
    server.core.store.audit.list({
      ...ALL_ACTS,
      organizationId,
      act: 'payment_method.register',
      limit: 10,
    });

  it('is registered through the provider and read back (D117)', async () => {
    const { client, registration, organizationId, call } = await payer();
    await expect(client.billing.paymentMethod()).rejects.toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
    const nothing = {
      organizationId,
      subscription: null,
      paymentMethod: null,
      offlineProfiles: [],
    };
    expect(await client.billing.account()).toEqual(nothing);
    const registered = await client.billing.registerPaymentMethod(await registration());
    expect(await client.billing.account()).toEqual({ ...nothing, paymentMethod: registered });
    expect(registered).toMatchObject({
      organizationId,
      method: 'CARD',
      maskedCardNumber: '****1235',
    });
    expect(registered.cardCompany).toMatch(/카드$/);
    expect(await client.billing.paymentMethod()).toEqual(registered);
    const asAdmin = client.with({ token: server.adminToken });
    expect(await asAdmin.billing.paymentMethod({ organizationId })).toEqual(registered);
    // A registered card is not a subscription: plan and tier do not change.
    expect((await call('GET', '/v1/billing/subscription')).status).toBe(404);
    expect((await call('GET', '/v1/membership/me')).body).toMatchObject({
      membership_tier: 'FREE',
    });
  });

  it('registers once however often it is asked, at once or later (D117)', async () => {
    const { client, registration, organizationId, call } = await payer();
    const body = await registration();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => call('POST', METHOD, wire(body))),
    );
    expect(statusesOf(answers)).toEqual([200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    const asked = await exchanges();
    const later = await client.billing.registerPaymentMethod(body);
    expect(later.registeredAt).toBe(answers[0]?.body.registered_at);
    expect(await exchanges()).toBe(asked);
    expect(await rowsOf(organizationId)).toHaveLength(1);
    const acts = await actsOf(organizationId);
    expect(acts).toHaveLength(1);
    expect(acts[0]?.actor).toMatchObject({ kind: 'console_user', traceId: expect.any(String) });
  });

  it('a session takes part once: another card wants another session (D117)', async () => {
    const { client, registration } = await payer();
    await client.billing.registerPaymentMethod(await registration());
    await expect(client.billing.registerPaymentMethod(await registration())).rejects.toMatchObject({
      code: 'CONFLICT_STATE',
    });
  });

  it('another card replaces the first, whose key is forgotten; repeating the first changes nothing (D117)', async () => {
    const { client, registration, organizationId } = await payer();
    const first = await registration();
    await client.billing.registerPaymentMethod(first);
    const second = await (await cardOf(client)).registration();
    const registered = await client.billing.registerPaymentMethod(second);
    await client.billing.registerPaymentMethod(first);
    expect(await client.billing.paymentMethod()).toEqual(registered);
    const [old, current] = await rowsOf(organizationId);
    expect(old).toMatchObject({ customer_key: first.customerKey, billing_key: null });
    expect(old?.replaced_at).not.toBeNull();
    expect(current).toMatchObject({ customer_key: second.customerKey, replaced_at: null });
  });

  it('refuses a foreign session, a forged one, and a key without a user (D117)', async () => {
    const mine = await payer();
    const other = await payer();
    const body = wire(await mine.registration());
    const by = (person: typeof mine, more: object = {}) =>
      errorOf(person.call('POST', METHOD, { ...body, ...more }));
    expect(await by(other)).toBe('404 RESOURCE_NOT_FOUND');
    expect(await by(other, { customer_key: other.session.customerKey })).toBe(
      '400 VALIDATION_INVALID_FIELD',
    );
    expect(await by(mine, { session_proof: 'f'.repeat(64) })).toBe('400 VALIDATION_INVALID_FIELD');
    expect(await by(mine, { session_proof: 'x' })).toBe('422 VALIDATION_INVALID_FIELD');
    const named = `${METHOD}?organization_id=${mine.organizationId}`;
    expect(await errorOf(other.call('GET', named))).toBe('404 RESOURCE_NOT_FOUND');
    expect(await errorOf(server.call('POST', METHOD, { body }))).toBe(
      '403 AUTH_FORBIDDEN_PRINCIPAL',
    );
    expect(await rowsOf(mine.organizationId)).toEqual([]);
    expect((await mine.call('POST', METHOD, body)).status).toBe(201);
  });

  it('refuses an auth key that is unknown, used or of another session (D117)', async () => {
    const { registration, call } = await payer();
    const other = await payer();
    const body = wire(await registration());
    const used = await other.registration();
    await other.client.billing.registerPaymentMethod(used);
    for (const auth_key of ['bln_unknown', used.authKey]) {
      const { status, body: answer } = await call('POST', METHOD, { ...body, auth_key });
      expect(status).toBe(400);
      expect(answer.error.fields[0].loc).toEqual(['body', 'auth_key']);
    }
    expect((await call('POST', METHOD, body)).status).toBe(201);
  });

  it('tells a declined card; another one may be typed in the same session (D117)', async () => {
    const { client, registration } = await payer();
    await control('decline', { declines: true });
    const declined = await registration();
    await expect(client.billing.registerPaymentMethod(declined)).rejects.toMatchObject({
      code: 'PROVIDER_CREDENTIAL_REJECTED',
      status: 409,
      retryable: false,
      providerErrorRef: 'payment:CARD_DECLINED',
    });
    await control('decline', { declines: false });
    await client.billing.registerPaymentMethod(await registration());
  });

  it('a provider that is out loses no card, nor does an answer lost on its way (D117)', async () => {
    const { client, registration, organizationId } = await payer();
    const body = await registration();
    const register = () => client.billing.registerPaymentMethod(body);
    await control('state', { state: 'DOWN' });
    const refused = { code: 'PROVIDER_UPSTREAM_ERROR', status: 502, retryable: true };
    await expect(register()).rejects.toMatchObject(refused);
    await control('state', { state: 'HEALTHY' });
    proxy.dropNextAnswer();
    await expect(register()).rejects.toMatchObject(refused);
    expect(await rowsOf(organizationId)).toEqual([]);
    expect(await register()).toMatchObject({ maskedCardNumber: '****1235' });
  });

  it('no secret lies in a table, a log line or an answer (D117)', async () => {
    const { client, registration, organizationId } = await payer();
    const body = await registration();
    const answer = await client.billing.registerPaymentMethod(body);
    const [row] = await rowsOf(organizationId);
    const sealed = row?.billing_key as Uint8Array; // Column of bytes.
    const place = billingKeyPlace(body.customerKey);
    const opened = await server.core.vault.open(String(organizationId), place, sealed);
    const billingKey = Buffer.from(opened).toString();
    expect(billingKey).toMatch(/^blk_/);
    const database = await everything();
    expect(database).toContain(body.customerKey);
    expect(database).toContain(latin1(sealed));
    const places = [database, log.join('\n'), JSON.stringify(answer)];
    const secrets = { billingKey, ...body, ...demoPaymentMerchant, CARD_NUMBER };
    for (const name of [
      'billingKey',
      'authKey',
      'sessionProof',
      'secretKey',
      'CARD_NUMBER',
    ] as const) {
      for (const place of places) expect(place.includes(secrets[name]), name).toBe(false);
    }
  });

  it('a session ends after half an hour; what was registered in it stays (D117, D133)', async () => {
    const { client, registration, call } = await payer();
    const body = await registration();
    const late = await payer();
    const lateBody = wire(await late.registration());
    const registered = await client.billing.registerPaymentMethod(body);
    await server.advanceClock(1_801);
    const answer = await late.call('POST', METHOD, lateBody);
    expect([answer.status, answer.body.error.fields[0].loc]).toEqual([
      400,
      ['body', 'session_proof'],
    ]);
    expect((await call('POST', METHOD, wire(body))).status).toBe(200);
    expect(await client.billing.paymentMethod()).toEqual(registered);
  });

  it('goes with the organization (D146)', async () => {
    const { client, registration, organizationId, call, password } = await payer();
    await client.billing.registerPaymentMethod(await registration());
    expect((await call('POST', '/v1/me/deletion-requests', { password })).status).toBe(201);
    await server.advanceClock(31 * 86_400);
    expect(await rowsOf(organizationId)).toEqual([]);
  });

  /** Every row of every table, bytes as text. */
  async function everything(): Promise<string> {
    const tables = await stores.execute(
      stores.dialect === 'sqlite'
        ? "select name from sqlite_master where type = 'table'"
        : "select table_name as name from information_schema.tables where table_schema = 'public'",
    );
    expect(tables.length).toBeGreaterThan(20);
    const rows = await Promise.all(
      tables.map(({ name }) => stores.execute(`select * from "${String(name)}"`)),
    );
    return rows
      .flat()
      .flatMap((row) => Object.values(row))
      .map((value) => (value instanceof Uint8Array ? latin1(value) : String(value)))
      .join('\n');
  }
});

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

it('without a payment provider no session opens (D117)', async () => {
  const server = await startTestServer();
  try {
    const { token } = await newPerson(server);
    const headers = bearer(token);
    const answer = await server.call('POST', '/v1/billing/auth-sessions', { headers });
    expect([answer.status, answer.body.error.code]).toEqual([503, 'PROVIDER_NOT_CONFIGURED']);
    expect(answer.body.error.retryable).toBe(false);
  } finally {
    await server[Symbol.asyncDispose]();
  }
});
