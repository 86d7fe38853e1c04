import { describe, expect, it } from 'vitest';
import { consentBlocksJobs } from './consent-block.ts';
import { deletesOrganization, withdrawalChanges } from './deletion.ts';
import { approve, assertMayAsk, decisionChanges, isRealTestApproved } from './env-access.ts';
import { assertMayMint, assertRedeemable } from './integrator.ts';

const DAY = 86_400_000;

describe('D94 consents', () => {
  it('block jobs while the last word on a required type is REVOKE', () => {
    const grant = { consentType: 'TERMS_OF_SERVICE', action: 'GRANT' } as const;
    const revoke = { consentType: 'TERMS_OF_SERVICE', action: 'REVOKE' } as const;
    expect(consentBlocksJobs([])).toBe(false);
    expect(consentBlocksJobs([grant, revoke])).toBe(true);
    expect(consentBlocksJobs([grant, revoke, grant])).toBe(false);
    expect(consentBlocksJobs([{ consentType: 'MARKETING', action: 'REVOKE' }])).toBe(false);
    expect(consentBlocksJobs([{ consentType: 'CREDENTIAL_STORAGE', action: 'REVOKE' }])).toBe(true);
  });
});

describe('D91 environment access', () => {
  const none = { realTestApprovedAt: null, demoEndsAt: null };

  it('holds for the days of the setting, or for ever', () => {
    const approval = approve(1000, { autoApprove: false, demoDays: 30 });
    expect(isRealTestApproved(approval, 1000 + 30 * DAY - 1)).toBe(true);
    expect(isRealTestApproved(approval, 1000 + 30 * DAY)).toBe(false);
    const open = approve(1000, { autoApprove: false, demoDays: null });
    expect(isRealTestApproved(open, Number.MAX_SAFE_INTEGER)).toBe(true);
    expect(isRealTestApproved(none, 0)).toBe(false);
  });

  it('is asked for once, and again after it ran out', () => {
    expect(() => assertMayAsk(none, false, 0)).not.toThrow();
    expect(() => assertMayAsk(none, true, 0)).toThrow('already exists');
    const approval = approve(0, { autoApprove: true, demoDays: 1 });
    expect(() => assertMayAsk(approval, false, DAY - 1)).toThrow('already exists');
    expect(() => assertMayAsk(approval, false, DAY)).not.toThrow();
  });

  it('is decided once', () => {
    expect(decisionChanges('PENDING', 'APPROVED')).toBe(true);
    expect(decisionChanges('APPROVED', 'APPROVED')).toBe(false);
    expect(() => decisionChanges('APPROVED', 'REJECTED')).toThrow('current state');
    expect(() => decisionChanges('REJECTED', 'APPROVED')).toThrow('current state');
  });
});

describe('D92 D93 handoff', () => {
  it('is minted once per approved application, again only when it ran out unused', () => {
    expect(() => assertMayMint('APPROVED', null, 0)).not.toThrow();
    expect(() => assertMayMint('SUBMITTED', null, 0)).toThrow();
    expect(() => assertMayMint('REJECTED', null, 0)).toThrow();
    expect(() => assertMayMint('APPROVED', { expiresAt: 10, usedAt: null }, 9)).toThrow();
    expect(() => assertMayMint('APPROVED', { expiresAt: 10, usedAt: 5 }, 11)).toThrow();
    expect(() => assertMayMint('APPROVED', { expiresAt: 10, usedAt: null }, 10)).not.toThrow();
  });

  it('R101 a used, expired or unknown token is refused alike', () => {
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

describe('D90 D146 deletion', () => {
  it('can be withdrawn until it is executed', () => {
    expect(withdrawalChanges('PENDING')).toBe(true);
    expect(withdrawalChanges('CANCELED')).toBe(false);
    expect(() => withdrawalChanges('EXECUTED')).toThrow('current state');
  });

  it('takes the organization along with its last owner only', () => {
    const owner = { userId: 1, role: 'OWNER' } as const;
    expect(deletesOrganization(1, [owner])).toBe(true);
    expect(deletesOrganization(1, [owner, { userId: 2, role: 'ADMIN' }])).toBe(true);
    expect(deletesOrganization(1, [owner, { userId: 2, role: 'OWNER' }])).toBe(false);
    expect(deletesOrganization(2, [owner, { userId: 2, role: 'ADMIN' }])).toBe(false);
  });
});
