import { createHmac, createSecretKey } from 'node:crypto';
import { expect, it } from 'vitest';
import { openAuthSession } from './auth-session.ts';

const secret = createSecretKey(new Uint8Array(32).fill(7));
const sessions = { clientKey: 'sim_ck_1', secret };

it('D117 binds organization and half an hour by an HMAC', () => {
  const session = openAuthSession(sessions, 12, 1_000_000);
  expect(session.customer_key).toMatch(/^cus_12_2800_[0-9A-Z]{26}$/);
  expect(session.client_key).toBe('sim_ck_1');
  const proof = createHmac('sha256', secret).update(`billing-auth:${session.customer_key}`);
  expect(session.session_proof).toBe(proof.digest('hex'));
});

it('D117 opens a session of its own each time, and another secret proves nothing', () => {
  const first = openAuthSession(sessions, 12, 1_000_000);
  const second = openAuthSession(sessions, 12, 1_000_000);
  expect(second.customer_key).not.toBe(first.customer_key);
  const other = createHmac('sha256', new Uint8Array(32)).update(
    `billing-auth:${first.customer_key}`,
  );
  expect(first.session_proof).not.toBe(other.digest('hex'));
});
