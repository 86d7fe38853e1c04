import { expect, it } from 'vitest';
import { describeStores } from '../testing/describe-stores.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

describeStores('login attempts (D86)', (stores) => {
  it('allows fifty a day per email from all addresses, without affecting others', async () => {
    const { loginAttempts } = await stores.open();
    const from = (address: string) => loginAttempts.begin({ emailHash: 'victim', address });
    for (let n = 0; n < 50; n += 1) expect(await from(`10.0.0.${n}`)).toBeNull();
    expect(await from('10.0.1.1')).toBeGreaterThan(DAY / 1000 - 120);
    expect(await loginAttempts.begin({ emailHash: 'other', address: '10.0.0.1' })).toBeNull();
    await stores.execute('update login_attempts set at = at - ?', [DAY]);
    expect(await from('10.0.1.1')).toBeNull();
  });

  it('allows five in fifteen minutes per address, and a success elsewhere lifts nothing', async () => {
    const { loginAttempts } = await stores.open();
    const here = { emailHash: 'mine', address: '10.1.0.1' };
    for (let n = 0; n < 5; n += 1) expect(await loginAttempts.begin(here)).toBeNull();
    await loginAttempts.succeed({ ...here, address: '10.1.0.2' });
    const wait = await loginAttempts.begin(here);
    expect(wait).toBeGreaterThan(800);
    expect(wait).toBeLessThanOrEqual(900);
    await stores.execute('update login_attempts set at = at - ?', [15 * MINUTE]);
    expect(await loginAttempts.begin(here)).toBeNull();
  });

  it('of strangers do not lock people out where they have logged in before', async () => {
    const { loginAttempts } = await stores.open();
    const from = (address: string) => loginAttempts.begin({ emailHash: 'owner', address });
    expect(await from('10.2.0.1')).toBeNull();
    await loginAttempts.succeed({ emailHash: 'owner', address: '10.2.0.1' });
    for (let n = 0; n < 50; n += 1) expect(await from(`10.3.0.${n}`)).toBeNull();
    expect(await from('10.3.1.1')).toBeGreaterThan(0);
    for (let n = 0; n < 5; n += 1) expect(await from('10.2.0.1')).toBeNull();
    expect(await from('10.2.0.1')).toBeLessThanOrEqual(900);
    await stores.execute('update login_attempts set at = at - ?', [15 * MINUTE]);
    await stores.execute('update known_login_addresses set at = at - ?', [31 * DAY]);
    expect(await from('10.2.0.1')).toBeGreaterThan(900);
  });

  it('are deleted once no limit counts them', async () => {
    const { loginAttempts } = await stores.open();
    await stores.execute('update login_attempts set at = at - ?', [DAY]);
    while ((await loginAttempts.purge()) > 0);
    expect(await stores.execute('select * from login_attempts')).toEqual([]);
  });
});
