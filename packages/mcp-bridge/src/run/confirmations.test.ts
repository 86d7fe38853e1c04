import { describe, expect, it } from 'vitest';
import { Confirmations } from './confirmations.ts';

const ACT = { action: 'tax_portal.c1.vat_standard', request: { params: { copies: 1 } } };

describe('a confirm_token (D153)', () => {
  it('is good for exactly its act, once', () => {
    const confirmations = new Confirmations(() => 0);
    const token = confirmations.issue(ACT);
    expect(confirmations.spend(token, { ...ACT, request: { params: { copies: 2 } } })).toBe(false);
    expect(confirmations.spend(token, { request: ACT.request, action: ACT.action })).toBe(true);
    expect(confirmations.spend(token, ACT)).toBe(false);
  });

  it('is over after five minutes', () => {
    let now = 0;
    const confirmations = new Confirmations(() => now);
    const token = confirmations.issue(ACT);
    now = 300_000;
    expect(confirmations.spend(token, ACT)).toBe(false);
  });

  it('cannot be made longer, made up, or carried to another process', () => {
    const confirmations = new Confirmations(() => 0);
    const [, nonce, seal] = confirmations.issue(ACT).split('.');
    for (const forged of [`999999999.${nonce}.${seal}`, '', 'a.b.c', `300000.x.${seal}`]) {
      expect(confirmations.spend(forged, ACT)).toBe(false);
    }
    expect(new Confirmations(() => 0).spend(confirmations.issue(ACT), ACT)).toBe(false);
  });
});
