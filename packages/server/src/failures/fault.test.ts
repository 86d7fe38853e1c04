import { expect, it } from 'vitest';
import { faultOf } from './fault.ts';

class PortalFault extends Error {
  readonly form = { password: 'hunter2' };
  readonly code = 'ECONNRESET';
}

it('keeps class, code and frames of an error, and nothing that it says (D64)', () => {
  const cause = new TypeError('hunter2\n    at hunter2 (hunter2)');
  const fault = faultOf(new PortalFault('login with hunter2 failed', { cause }));
  expect(fault).toMatchObject({
    type: 'PortalFault',
    code: 'ECONNRESET',
    cause: { type: 'TypeError' },
  });
  expect(fault.frames[0]).toContain('fault.test.ts');
  expect(JSON.stringify(fault)).not.toContain('hunter2');
});

it('describes a thrown value that is not an error only by its type (D64)', () => {
  expect(faultOf('hunter2')).toEqual({ type: 'string', frames: [] });
});

class DatabaseError extends Error {
  readonly code = '57014';
}

it("keeps PostgreSQL's codes, which are digits, and no digits from elsewhere: they may be a PIN (D64)", () => {
  expect(faultOf(new DatabaseError('hunter2'))).toMatchObject({ code: '57014' });
  expect(faultOf(Object.assign(new Error(), { code: '57014' })).code).toBeUndefined();
});
