import { describe, expect, it } from 'vitest';
import { ServiceError } from '../service-error.ts';
import { mayOfferTool, mayRunAction } from './allowed-action.ts';
import { acceptEnvScopes } from './issued-scopes.ts';
import { assertPasswordPolicy } from './password-policy.ts';
import { acceptRevokeReason } from './revoke-reason.ts';

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
  return 'none';
}

describe('the reason of a revoke (R91)', () => {
  it.each([
    ['console_user', null, 'user_request'],
    ['console_user', 'user_request', 'user_request'],
    ['admin_user', 'admin_action', 'admin_action'],
    ['admin_user', 'security_incident', 'security_incident'],
  ] as const)('%s with %s records %s', (kind, reason, recorded) => {
    expect(acceptRevokeReason(kind, reason)).toBe(recorded);
  });

  it.each([
    ['console_user', 'admin_action', 'REVOKED_REASON_FORBIDDEN'],
    ['console_user', 'security_incident', 'REVOKED_REASON_FORBIDDEN'],
    ['console_user', 'superseded', 'REVOKED_REASON_FORBIDDEN'],
    ['admin_user', null, 'REVOKED_REASON_MISSING'],
    ['admin_user', 'user_request', 'REVOKED_REASON_FORBIDDEN'],
    ['admin_user', 'superseded', 'REVOKED_REASON_FORBIDDEN'],
    ['admin_user', '', 'REVOKED_REASON_FORBIDDEN'],
  ] as const)('%s with %s is %s', (kind, reason, code) => {
    expect(codeOf(() => acceptRevokeReason(kind, reason))).toBe(code);
  });
});

describe('the environments of a new key (R89)', () => {
  const nothing = { paid: false, realTestApproved: false };
  const all = { paid: true, realTestApproved: true };

  it('gives sandbox for null and drops duplicates', () => {
    expect(acceptEnvScopes(null, nothing)).toEqual(['sandbox']);
    expect(acceptEnvScopes(['real_test', 'sandbox', 'real_test'], all)).toEqual([
      'real_test',
      'sandbox',
    ]);
  });

  it('checks the plan before the approval (D97)', () => {
    expect(codeOf(() => acceptEnvScopes(['real_test', 'production'], nothing))).toBe(
      'POLICY_PAID_REQUIRED',
    );
    expect(codeOf(() => acceptEnvScopes(['real_test'], nothing))).toBe('POLICY_ENV_NOT_APPROVED');
    expect(acceptEnvScopes(['production'], all)).toEqual(['production']);
  });
});

describe('least privilege (D147)', () => {
  const open = { readOnly: false, allowedActions: null, allowIrreversibleTools: false };
  const read = { id: 'bank_b.accounts.list', irreversible: false };
  const issue = { id: 'tax_portal.c1.business_registration', irreversible: true };

  it('allows every action for null, and for a pattern what begins with it', () => {
    expect(mayRunAction(open, issue)).toBe(true);
    expect(mayRunAction({ ...open, allowedActions: ['bank_b.*'] }, read)).toBe(true);
    expect(mayRunAction({ ...open, allowedActions: ['bank_b.*'] }, issue)).toBe(false);
    expect(mayRunAction({ ...open, allowedActions: ['bank_b'] }, read)).toBe(false);
    expect(mayRunAction({ ...open, allowedActions: [] }, read)).toBe(false);
  });

  it('lets a read-only key run nothing irreversible', () => {
    expect(mayRunAction({ ...open, readOnly: true }, issue)).toBe(false);
    expect(mayRunAction({ ...open, readOnly: true }, read)).toBe(true);
  });

  it('offers irreversible tools only to keys that allow them', () => {
    expect(mayOfferTool(open, issue)).toBe(false);
    expect(mayOfferTool({ ...open, allowIrreversibleTools: true }, issue)).toBe(true);
    expect(mayOfferTool(open, read)).toBe(true);
  });
});

it('requires ten characters that are not the email address (D88)', () => {
  expect(codeOf(() => assertPasswordPolicy('nine char', 'a@b.kr'))).toBe('PASSWORD_POLICY');
  expect(codeOf(() => assertPasswordPolicy('ten chars!', 'a@b.kr'))).toBe('none');
  expect(codeOf(() => assertPasswordPolicy('Longer@Example.kr', 'longer@example.kr'))).toBe(
    'PASSWORD_POLICY',
  );
  // Nine emoji are nine characters, though eighteen UTF-16 units.
  expect(codeOf(() => assertPasswordPolicy('🔑'.repeat(9), 'a@b.kr'))).toBe('PASSWORD_POLICY');
});
