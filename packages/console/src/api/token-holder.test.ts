import { describe, expect, it } from 'vitest';
import { holderOf } from './token-holder.ts';

function tokenOf(claims: unknown): string {
  const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return `${encode({ alg: 'ES256' })}.${encode(claims)}.c2lnbmF0dXJl`;
}

const holder = (claims: unknown) => holderOf(tokenOf(claims));

describe('the holder of a token', () => {
  it('is the same with another token of the same operator', () => {
    const operator = { pk: 'admin_user', sub: '1' };
    expect(holder({ ...operator, jti: 'b' })).toBe(holder({ ...operator, jti: 'a' }));
  });

  it('is another one with the token of another operator', () => {
    expect(holder({ pk: 'admin_user', sub: '2' })).not.toBe(holder({ pk: 'admin_user', sub: '1' }));
  });

  it('is another one with the token of a person whose id is that of the operator', () => {
    const person = { pk: 'console_user', sub: '1' };
    expect(holder(person)).not.toBe(holder({ pk: 'admin_user', sub: '1' }));
    expect(holder(person)).not.toBe(holder(person));
  });

  it.each(['opaque', 'a.b.c', tokenOf(null), tokenOf({ pk: 'admin_user' })])(
    'is never the same where %s does not say who it is',
    (token) => {
      expect(holderOf(token)).not.toBe(holderOf(token));
    },
  );
});
