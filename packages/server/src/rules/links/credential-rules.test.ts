import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isAccountPassword,
  maskAccountNumber,
  toAccountNumber,
} from '../identity/account-number.ts';
import { ServiceError } from '../service-error.ts';
import { givenCredential } from './link-kind.ts';
import { acceptUnlinkReason } from './unlink-reason.ts';

describe('account numbers (D107)', () => {
  it('are 8 to 16 digits, hyphens dropped', () => {
    expect(toAccountNumber('110-123-457890')).toBe('110123457890');
    expect(toAccountNumber('1234567')).toBeNull();
    expect(toAccountNumber('12345678901234567')).toBeNull();
    expect(toAccountNumber('１１０１２３４５')).toBeNull();
    expect(isAccountPassword('0042')).toBe(true);
    expect(isAccountPassword('042')).toBe(false);
  });

  it('are masked to the first three and last four digits, the length kept', () => {
    expect(maskAccountNumber('110123457890')).toBe('110*****7890');
    fc.assert(
      fc.property(fc.stringMatching(/^\d{8,16}$/), (digits) => {
        expect(maskAccountNumber(digits)).toMatch(/^\d{3}\*{1,9}\d{4}$/);
        expect(maskAccountNumber(digits)).toHaveLength(digits.length);
      }),
    );
  });
});

describe('the set of fields that makes a link (D99)', () => {
  const certificate = { cert_data: 'c', key_data: 'k', encrypted_pw: 'p' };
  const login = { login_id: 'i', login_password: 'p' };
  const consent = { authorization_code: 'a', state: 's' };

  it.each([
    ['certificate', certificate],
    ['certificate', { pkcs12_data: 'b', encrypted_pw: 'p' }],
    ['id_password', login],
    ['consent', consent],
  ] as const)('%s', (type, fields) => {
    expect(givenCredential(fields)).toEqual({ type, ...fields });
  });

  it('treats null as absent', () => {
    const nulls = { state: null, cert_data: null, random_enc: null };
    expect(givenCredential({ ...login, ...nulls }).type).toBe('id_password');
  });

  it.each([
    ['none', {}],
    ['two whole sets', { ...certificate, ...login }],
    ['a whole set and a part of another', { ...login, state: 's' }],
    ['a certificate in one file and in two', { ...certificate, pkcs12_data: 'b' }],
    ['one file without its password', { pkcs12_data: 'b' }],
    ['a password alone', { encrypted_pw: 'p' }],
    ['a part', { cert_data: 'c', key_data: 'k' }],
    ['an empty value', { login_id: '', login_password: 'p' }],
  ])('%s is 422', (_, fields) => {
    expect(() => givenCredential(fields)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_INVALID_FIELD', status: 422 }),
    );
  });

  it('names the field that is missing, and the random value of a key beside no certificate (D99)', () => {
    const refused = (fields: Parameters<typeof givenCredential>[0]) => {
      try {
        return givenCredential(fields);
      } catch (error) {
        return error instanceof ServiceError
          ? error.details.fields?.map(({ loc }) => loc[1])
          : error;
      }
    };
    expect(refused({ ...login, random_enc: 'r' })).toEqual(['random_enc']);
    expect(refused({ state: 's', random_enc: 'r' })).toEqual(['authorization_code', 'random_enc']);
    expect(refused({ pkcs12_data: 'b', random_enc: 'r' })).toEqual(['encrypted_pw']);
  });
});

describe('the reason of an unlink (R93, D105)', () => {
  it('records user_request for null, whoever asks', () => {
    expect(acceptUnlinkReason('console_user', null)).toBe('user_request');
    expect(acceptUnlinkReason('admin_user', null)).toBe('user_request');
  });

  it('accepts only user_request from users, and only the other two from administrators', () => {
    expect(acceptUnlinkReason('console_user', 'user_request')).toBe('user_request');
    expect(() => acceptUnlinkReason('client', 'admin_action')).toThrow(ServiceError);
    expect(() => acceptUnlinkReason('console_user', 'security_incident')).toThrow(ServiceError);
    expect(acceptUnlinkReason('admin_user', 'security_incident')).toBe('security_incident');
    expect(() => acceptUnlinkReason('admin_user', 'user_request')).toThrow(ServiceError);
  });
});
