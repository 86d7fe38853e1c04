import { describe, expect, it } from 'vitest';
import { isSensitiveName } from './sensitive-name.ts';

describe('sensitive names (D33)', () => {
  it.each([
    'password',
    'account_password',
    'accountPassword',
    'newPasswords',
    'PASSWORD',
    'xpasswordx',
    'passwd',
    'userPasswd',
    'client_secret',
    'topsecretvalue',
    'api_key',
    'apiKey',
    'APIKey',
    'APIKEY',
    'api key',
    'API_KEY',
    'x-api-key',
    'api.key2',
    'accessToken',
    'accesstoken',
    'access_token',
    'private-key',
    'privateKeyPem',
    'ssn',
    'userSSN',
    'ssnNumber',
    'juminNo',
    'JUMIN_NO',
    'myjuminno',
    'user.ssn',
  ])('refuses %s (R57)', (name) => {
    expect(isSensitiveName(name)).toBe(true);
  });

  it.each([
    'businessNo',
    'businessName',
    'key',
    'token',
    'access',
    'api',
    'passNumber',
    'keyword',
    'tokenAccess',
    'apiUserKey',
  ])('accepts %s (R58)', (name) => {
    expect(isSensitiveName(name)).toBe(false);
  });
});
