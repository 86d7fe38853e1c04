import { createHmac, createSecretKey } from 'node:crypto';
import { expect, it } from 'vitest';
import { openAuthSession, readAuthSession } from './auth-session.ts';

const secretOf = (byte: number) => createSecretKey(new Uint8Array(32).fill(byte));
const secrets = [secretOf(7)] as const;
const cardPage = { url: 'https://pay.example/billing/auth', clientKey: 'sim_ck_1' };
const open = () =>
  openAuthSession(
    {
      store: { clock: { now: async () => 1_000_000 } },
      paymentProvider: { cardPage: async () => cardPage },
      proofSecrets: () => secrets,
    },
    12,
  );

it('binds organization and expiry by an HMAC (D117)', async () => {
  const session = await open();
  expect(session.customer_key).toMatch(/^cus_12_2800_[0-9A-Z]{26}$/);
  expect(session.client_key).toBe('sim_ck_1');
  expect(session.card_page_url).toBe('https://pay.example/billing/auth');
  const proof = createHmac('sha256', secrets[0]).update(`billing-auth:${session.customer_key}`);
  expect(session.session_proof).toBe(proof.digest('hex'));
});

it('opens a new session each time (D117)', async () => {
  expect((await open()).customer_key).not.toBe((await open()).customer_key);
});

it('accepts a session only with its own proof, even after the master key was rotated (D117)', async () => {
  const { customer_key: key, session_proof: proof } = await open();
  const session = { organizationId: 12, expiresAt: 2_800_000 };
  expect(readAuthSession(secrets, key, proof)).toEqual(session);
  expect(readAuthSession([secretOf(8), ...secrets], key, proof)).toEqual(session);
  expect(readAuthSession([secretOf(8)], key, proof)).toBeNull();
  expect(readAuthSession(secrets, key.replace('cus_12_', 'cus_13_'), proof)).toBeNull();
  expect(readAuthSession(secrets, key.replace('_2800_', '_9800_'), proof)).toBeNull();
  expect(readAuthSession(secrets, key, (await open()).session_proof)).toBeNull();
  expect(readAuthSession(secrets, key, 'no hex')).toBeNull();
  expect(readAuthSession(secrets, key, proof.slice(0, 2))).toBeNull();
});
