import { describe, expect, it } from 'vitest';
import { consentBlocksJobs } from './consent-block.ts';
import { deletesOrganization, withdrawalChanges } from './deletion.ts';
import { approve, assertMayAsk, decisionChanges } from './env-access.ts';
import { assertMayMint, assertRedeemable } from './integrator.ts';
import { hasRealTest } from './policy.ts';

const DAY = 86_400_000;

describe('consents (D94)', () => {
  it('block jobs while the latest record of a required type is REVOKE', () => {
    const grant = { consentType: 'TERMS_OF_SERVICE', action: 'GRANT' } as const;
    const revoke = { consentType: 'TERMS_OF_SERVICE', action: 'REVOKE' } as const;
    expect(consentBlocksJobs([])).toBe(false);
    expect(consentBlocksJobs([grant, revoke])).toBe(true);
    expect(consentBlocksJobs([grant, revoke, grant])).toBe(false);
    expect(consentBlocksJobs([{ consentType: 'MARKETING', action: 'REVOKE' }])).toBe(false);
    expect(consentBlocksJobs([{ consentType: 'CREDENTIAL_STORAGE', action: 'REVOKE' }])).toBe(true);
  });
});

describe('environment access (D91)', () => {
  it('is valid for the configured days, or without end', () => {
    expect(approve(1000, { autoApprove: false, demoDays: 30 })).toEqual({
      realTestApprovedAt: 1000,
      demoEndsAt: 1000 + 30 * DAY,
    });
    const open = approve(1000, { autoApprove: false, demoDays: null });
    expect(hasRealTest(open, 1000 + 3650 * DAY)).toBe(true);
    const approval = approve(1000, { autoApprove: false, demoDays: 1 });
    expect(hasRealTest(approval, 1000 + DAY - 1)).toBe(true);
    expect(hasRealTest(approval, 1000 + DAY)).toBe(false);
  });

  it('cannot be requested while it is pending or approved', () => {
    expect(() => assertMayAsk(false, false)).not.toThrow();
    expect(() => assertMayAsk(false, true)).toThrow('already exists');
    expect(() => assertMayAsk(true, false)).toThrow('already exists');
  });

  it('is decided once', () => {
    expect(decisionChanges('PENDING', 'APPROVED')).toBe(true);
    expect(decisionChanges('APPROVED', 'APPROVED')).toBe(false);
    expect(() => decisionChanges('APPROVED', 'REJECTED')).toThrow('current state');
    expect(() => decisionChanges('REJECTED', 'APPROVED')).toThrow('current state');
  });
});

describe('handoff (D92, D93)', () => {
  it('is minted once, by an approved application (D92)', () => {
    const refused = 'current state';
    expect(() => assertMayMint('APPROVED', false)).not.toThrow();
    expect(() => assertMayMint('APPROVED', true)).toThrow(refused);
    expect(() => assertMayMint('SUBMITTED', false)).toThrow(refused);
    expect(() => assertMayMint('REJECTED', false)).toThrow(refused);
  });

  it('refuses a used, an expired and an unknown token alike (R101)', () => {
    expect(() => assertRedeemable({ expiresAt: 10, usedAt: null }, 9)).not.toThrow();
    for (const token of [
      undefined,
      { expiresAt: 10, usedAt: 5 },
      { expiresAt: 10, usedAt: null },
    ]) {
      expect(() => assertRedeemable(token, 10)).toThrow('handoff token is not valid');
    }
  });
});

describe('deletion (D90, D146)', () => {
  it('can be withdrawn until it is executed', () => {
    expect(withdrawalChanges('PENDING')).toBe(true);
    expect(withdrawalChanges('CANCELED')).toBe(false);
    expect(() => withdrawalChanges('EXECUTED')).toThrow('current state');
  });

  it('closes the organization only with its last owner', () => {
    const owner = { userId: 1, role: 'OWNER' } as const;
    expect(deletesOrganization(1, [owner])).toBe(true);
    expect(deletesOrganization(1, [owner, { userId: 2, role: 'ADMIN' }])).toBe(true);
    expect(deletesOrganization(1, [owner, { userId: 2, role: 'OWNER' }])).toBe(false);
    expect(deletesOrganization(2, [owner, { userId: 2, role: 'ADMIN' }])).toBe(false);
  });
});
