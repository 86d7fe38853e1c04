import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { demoPaymentMerchant } from '../src/index.ts';
import type { Browser } from './browser.ts';
import { useStage } from './stage.ts';

const stage = useStage();
const { clientKey, secretKey } = demoPaymentMerchant;
const CUSTOMER = 'cus_1_1763000000_01ABC';
const CARD = {
  card_number: '4330-1234-1234-1235',
  expiry: '12/27',
  card_password: '12',
  owner: '1248100998',
};

async function cardPage(change: Record<string, string> = {}): Promise<Browser> {
  const browser = stage.browser('payment');
  const query = new URLSearchParams({
    client_key: clientKey,
    customer_key: CUSTOMER,
    success_url: 'https://console.example/done?tab=billing',
    fail_url: 'https://console.example/failed',
    ...change,
  });
  await browser.get(`/billing/auth?${query}`);
  return browser;
}

async function register(change: Record<string, string> = {}): Promise<URL> {
  const browser = await cardPage();
  await browser.submit('#cardForm', { ...CARD, decision: 'register', ...change });
  return new URL(browser.view.location ?? 'about:blank');
}

const authKey = async (): Promise<string> => (await register()).searchParams.get('auth_key') ?? '';

async function exchange(
  key: string,
  { customer = CUSTOMER, secret = secretKey as string, idempotencyKey = '' } = {},
) {
  const answer = await request(`${stage.simulators.urls.payment}/v1/billing/authorizations/issue`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${secret}:`).toString('base64')}`,
      'content-type': 'application/json',
      ...(idempotencyKey === '' ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify({ auth_key: key, customer_key: customer }),
  });
  const text = await answer.body.text();
  const body: Record<string, unknown> = answer.statusCode < 500 ? JSON.parse(text) : {};
  return { status: answer.statusCode, body };
}

const outcome = async (answer: ReturnType<typeof exchange>) => {
  const { status, body } = await answer;
  return `${status} ${String(body.code ?? body.method)}`;
};

describe('the card page', () => {
  it('sends the customer back with a key, and never shows the card number again', async () => {
    const target = await register();
    expect(target.origin + target.pathname).toBe('https://console.example/done');
    expect(target.searchParams.get('tab')).toBe('billing');
    expect(target.searchParams.get('customer_key')).toBe(CUSTOMER);
    const { status, body } = await exchange(target.searchParams.get('auth_key') ?? '');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      customer_key: CUSTOMER,
      method: 'CARD',
      card_number: '433012******1235',
      authenticated_at: '2026-11-20T14:00:00+09:00',
    });
    expect(body.card_company).toMatch(/카드$/);
    expect(body.billing_key).toMatch(/^blk_/);
  });

  it('a customer who cancels comes back to the other address', async () => {
    const target = await register({ decision: 'cancel' });
    expect(target.pathname).toBe('/failed');
    expect(target.searchParams.get('code')).toBe('USER_CANCEL');
  });

  it.each([
    [{ card_number: '4330123412341234' }],
    [{ card_number: '4330' }],
    [{ expiry: '10/26' }],
    [{ expiry: '13/30' }],
    [{ card_password: '1' }],
    [{ owner: '' }],
  ])('refuses %j', async (change) => {
    const browser = await cardPage();
    await browser.submit('#cardForm', { ...CARD, decision: 'register', ...change });
    expect(browser.view.location).toBeNull();
    expect(browser.view.$('p[role=alert]')).toHaveLength(1);
  });

  it.each([
    [{ client_key: 'another-client' }],
    [{ customer_key: 'a' }],
    [{ success_url: 'javascript:alert(1)' }],
    [{ fail_url: '' }],
  ])('does not open for %j', async (change) => {
    const browser = await cardPage(change);
    expect(browser.view.$('#cardForm')).toHaveLength(0);
    expect(browser.view.$('p[role=alert]')).toHaveLength(1);
  });
});

describe('billing keys', () => {
  it('an auth key works once, for its customer and merchant', async () => {
    const key = await authKey();
    expect(await outcome(exchange(key, { secret: 'wrong' }))).toBe('401 UNAUTHORIZED_KEY');
    expect(await outcome(exchange(key, { customer: 'cus_2' }))).toBe('400 INVALID_AUTH_KEY');
    expect(await outcome(exchange('bln_unknown'))).toBe('400 INVALID_AUTH_KEY');
    expect(await outcome(exchange(key))).toBe('200 CARD');
    expect(await outcome(exchange(key))).toBe('400 INVALID_AUTH_KEY');
  });

  it('an auth key ends after ten minutes', async () => {
    const key = await authKey();
    stage.now += 10 * 60_000;
    expect(await outcome(exchange(key))).toBe('400 INVALID_AUTH_KEY');
  });

  it('repeats its answer under the same idempotency key, to the same request only', async () => {
    const key = await authKey();
    const first = await exchange(key, { idempotencyKey: 'once' });
    expect(await exchange(key, { idempotencyKey: 'once' })).toEqual(first);
    expect(await outcome(exchange(await authKey(), { idempotencyKey: 'once' }))).toBe('200 CARD');
    expect(await outcome(exchange(key, { idempotencyKey: 'twice' }))).toBe('400 INVALID_AUTH_KEY');
  });

  it('card companies decline, and the provider is out, when told to', async () => {
    await stage.control('/payment/decline', { declines: true });
    expect(await outcome(exchange(await authKey()))).toBe('403 CARD_DECLINED');
    await stage.control('/payment/decline', { declines: false });
    const key = await authKey();
    await stage.control('/payment/state', { state: 'DOWN' });
    expect((await exchange(key)).status).toBe(503);
    await stage.control('/payment/state', { state: 'HEALTHY' });
    expect(await outcome(exchange(key))).toBe('200 CARD');
    expect((await stage.control('/payment/decline', { declines: 'yes' })).status).toBe(400);
  });
});
