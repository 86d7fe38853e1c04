import { expect, it } from 'vitest';
import { describeStores } from '../testing/describe-stores.ts';
import { registerOwner } from '../testing/seed.ts';

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

  it('of strangers do not lock out whoever resets the password by a link (D168)', async () => {
    const store = await stores.open();
    const [email, emailHash, tokenHash] = ['locked@example.com', 'locked', 'token of locked'];
    await registerOwner(store, email);
    const from = (address: string) => store.loginAttempts.begin({ emailHash, address });
    for (let n = 0; n < 50; n += 1) expect(await from(`10.4.0.${n}`)).toBeNull();
    const link = { kind: 'password_reset', tokenHash, email, emailHash } as const;
    await store.oneTimeLinks.request({ ...link, letter: null });
    expect(await from('10.4.1.1')).toBeGreaterThan(0);
    const origin = { traceId: 't' };
    await store.oneTimeLinks.resetPassword({ tokenHash, passwordHash: 'new', origin });
    expect(await from('10.4.1.1')).toBeNull();
  });

  it('of strangers do not lock people out where they have logged in before (D86)', async () => {
    const { loginAttempts } = await stores.open();
    const from = (address: string) => loginAttempts.begin({ emailHash: 'owner', address });
    expect(await from('10.2.0.1')).toBeNull();
    await loginAttempts.succeed({ emailHash: 'owner', address: '10.2.0.1' });
    for (let n = 0; n < 50; n += 1) expect(await from(`10.3.0.${n}`)).toBeNull();
    expect(await from('10.3.1.1')).toBeGreaterThan(0);
    for (let n = 0; n < 5; n += 1) expect(await from('10.2.0.1')).toBeNull();
    expect(await from('10.2.0.1')).toBeLessThanOrEqual(900);
    await stores.execute('update login_attempts set at = at - ?', [15 * MINUTE]);
    // Others share the address: it has the limit of a day too, of its own.
    expect(await from('10.2.0.1')).toBeNull();
    await stores.execute(`insert into login_attempts (email_hash, address, at)
      select email_hash, '10.2.0.1', at from login_attempts where address like '10.3.%' limit 43`);
    expect(await from('10.2.0.1')).toBeNull();
    expect(await from('10.2.0.1')).toBeGreaterThan(900);
    await stores.execute('update known_login_addresses set at = at - ?', [31 * DAY]);
    expect(await from('10.2.0.1')).toBeGreaterThan(900);
  });

  it('leave one row in the audit log for each address, user and hour in which they were limited', async () => {
    const { loginAttempts } = await stores.open();
    const meet = (address: string, target: string) =>
      loginAttempts.noteLimit({
        act: 'password.limit',
        actor: { kind: 'system', id: 'login', traceId: null, address },
        organizationId: 1,
        target,
      });
    const rows = async () =>
      (await stores.execute("select address, target from audit where act = 'password.limit'"))
        .length;
    for (const host of ['1', '2', 'ffff']) await meet(`2001:db8:1:2::${host}`, '7');
    expect(await rows()).toBe(1);
    await meet('2001:db8:1:3::1', '7');
    await meet('2001:db8:1:3::1', '8');
    expect(await rows()).toBe(3);
    await stores.execute('update noted_limits set hour = hour - 1');
    await meet('2001:db8:1:2::1', '7');
    expect(await rows()).toBe(4);
    await stores.execute('update noted_limits set hour = hour - 25');
    await stores.execute(`insert into noted_limits (hour, act, address, target)
      with recursive count(n) as (select 1 union all select n + 1 from count where n < 500)
      select hour, act, cast(n as text), 'many' from count cross join
      (select hour, act from noted_limits order by hour limit 1) as one`);
    // In parts, for the writers that wait meanwhile.
    expect(await loginAttempts.purge()).toBe(true);
    expect(await stores.execute('select * from noted_limits')).toHaveLength(4);
    while (await loginAttempts.purge());
    expect(await stores.execute('select * from noted_limits')).toEqual([]);
  });

  it('leave no more than a thousand such rows an hour, whoever has many addresses', async () => {
    const { loginAttempts } = await stores.open();
    const meet = (address: string) =>
      loginAttempts.noteLimit({
        act: 'address.limit',
        actor: { kind: 'system', id: 'authentication', traceId: null, address },
        organizationId: null,
      });
    await meet('10.4.0.1');
    await stores.execute(`insert into noted_limits (hour, act, address, target)
      with recursive count(n) as (select 1 union all select n + 1 from count where n < 998)
      select hour, act, cast(n as text), '' from count cross join noted_limits`);
    for (const address of ['10.4.0.2', '10.4.0.3', '10.4.0.4']) await meet(address);
    // Each act has its own thousand, or guesses at nothing would hide who was guessed at.
    await loginAttempts.noteLimit({
      act: 'password.refuse',
      actor: { kind: 'system', id: 'login', traceId: null, address: '10.4.0.5' },
      organizationId: null,
    });
    expect(
      await stores.execute("select address from audit where act = 'password.refuse'"),
    ).toMatchObject([{ address: '10.4.0.5' }]);
    const noted = await stores.execute(
      "select address from audit where act = 'address.limit' order by id",
    );
    expect(noted).toMatchObject([{ address: '10.4.0.1' }, { address: '10.4.0.2' }]);
  });

  it('are deleted once no limit counts them', async () => {
    const { loginAttempts } = await stores.open();
    await stores.execute('update login_attempts set at = at - ?', [DAY]);
    while (await loginAttempts.purge());
    expect(await stores.execute('select * from login_attempts')).toEqual([]);
  });
});
