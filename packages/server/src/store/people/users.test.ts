import { expect, it } from 'vitest';
import { describeStores } from '../testing/describe-stores.ts';

const PERSON = {
  email: 'a@example.com',
  name: '홍길동',
  phone: null,
  passwordHash: '$argon2id$…',
  organizationName: '창구',
  businessNumber: null,
  origin: { traceId: 'trc_1' },
};

describeStores('users', (stores) => {
  it('an address is registered once, also by many at the same time (D88)', async () => {
    const { users } = await stores.open();
    const ends = await Promise.allSettled(Array.from({ length: 8 }, () => users.register(PERSON)));
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.code] : []));
    expect(refused).toEqual(Array(7).fill('EMAIL_ALREADY_REGISTERED'));
  });
});
