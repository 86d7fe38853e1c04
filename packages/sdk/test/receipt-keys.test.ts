import { generateKeyPairSync, sign } from 'node:crypto';
import { verifyReceipts } from '@changgu/sdk';
import { expect, it } from 'vitest';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KEY = { ...publicKey.export({ format: 'jwk' }), kid: 'a' };

function receipt(): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const statement = { iss: 'changgu', number: 1, organization_id: 1, env_scope: 'real_test' };
  const signed = `${encode({ alg: 'EdDSA', kid: 'a' })}.${encode(statement)}`;
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
}

it('keys that are none of its kind verify nothing, and spoil no others', async () => {
  const others = [
    null,
    'key',
    {},
    { kid: 'b', kty: 'RSA', n: 'AA', e: 'AQAB' },
    { ...KEY, x: 'A' },
  ];
  const only = await verifyReceipts([receipt()], { keys: others as never });
  expect(only.receipts).toMatchObject([{ fault: 'unknown_key' }]);
  const beside = await verifyReceipts([receipt()], { keys: [...others, KEY] as never });
  expect(beside.receipts).toMatchObject([{ fault: null }]);
});
