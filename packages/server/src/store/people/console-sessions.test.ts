import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import type { Store } from '../database.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { registerOwner } from '../testing/seed.ts';

const HOUR = 3_600_000;

describeStores('console sessions', (stores) => {
  let store: Store;
  let people = 0;
  beforeAll(async () => {
    store = await stores.open();
  });

  async function newUser() {
    people += 1;
    const { userId, organizationId } = await registerOwner(store, `session${people}@example.com`);
    return {
      userId,
      organizationId,
      actor: { kind: 'system', id: 'test', traceId: null } as const,
    };
  }

  async function open(userId: number, secretHash: string | null = null, lifeMs = 8 * HOUR) {
    const id = randomUUID();
    const address = '192.0.2.1';
    await store.consoleSessions.open({
      id,
      userId,
      secretHash,
      passwordEpoch: 1,
      address,
      userAgent: 'test',
      lifeMs,
    });
    return id;
  }

  const rows = async (userId: number) =>
    (await stores.execute('select id from console_sessions where user_id = ?', [userId])).length;

  it('finds a session by its id or by the hash of its secret, with the user as of now', async () => {
    const { userId, organizationId } = await newUser();
    const id = await open(userId, 'hash-a');
    const found = await store.consoleSessions.find({ id });
    expect(found).toMatchObject({ sessionId: id, userId, organizationId, role: 'OWNER' });
    expect(await store.consoleSessions.find({ secretHash: 'hash-a' })).toEqual(found);
    expect(await store.consoleSessions.find({ secretHash: 'hash-b' })).toBeNull();
    expect(await store.consoleSessions.find({ id: randomUUID() })).toBeNull();
  });

  it('ends a session of its owner only', async () => {
    const [one, other] = [await newUser(), await newUser()];
    const id = await open(one.userId);
    await expect(store.consoleSessions.end({ id, ...other })).rejects.toThrow();
    expect(await store.consoleSessions.find({ id })).not.toBeNull();
    await store.consoleSessions.end({ id, ...one });
    expect(await store.consoleSessions.find({ id })).toBeNull();
  });

  it('ends all of a user, and voids what was issued without a session', async () => {
    const [one, other] = [await newUser(), await newUser()];
    const ids = [await open(one.userId), await open(one.userId, 'hash-c')];
    const kept = await open(other.userId);
    expect(await store.consoleSessions.endAll(one)).toBe(2);
    for (const id of ids) expect(await store.consoleSessions.find({ id })).toBeNull();
    expect((await store.users.find({ userId: one.userId }))?.passwordEpoch).toBe(2);
    expect(await store.consoleSessions.find({ id: kept })).not.toBeNull();
  });

  it('a session of an earlier password is void, even where its row was left behind', async () => {
    const { userId } = await newUser();
    const id = await open(userId);
    await stores.execute('update users set password_epoch = 2 where id = ?', [userId]);
    expect(await store.consoleSessions.find({ id })).toBeNull();
    expect(await store.consoleSessions.list(userId)).toEqual([]);
  });

  it('ends a cookie that nothing used for half an hour, and a token only at its end', async () => {
    const { userId } = await newUser();
    const [cookie, token] = [await open(userId, 'hash-d'), await open(userId)];
    const age = 'update console_sessions set last_used_at = last_used_at - ? where user_id = ?';
    await stores.execute(age, [1_790_000, userId]);
    expect((await store.consoleSessions.find({ id: cookie }))?.dueForTouch).toBe(true);
    await store.consoleSessions.touch(cookie);
    await stores.execute(age, [1_790_000, userId]);
    expect(await store.consoleSessions.find({ id: cookie })).not.toBeNull();
    await stores.execute(age, [60_000, userId]);
    expect(await store.consoleSessions.find({ id: cookie })).toBeNull();
    expect(await store.consoleSessions.find({ id: token })).not.toBeNull();
    expect((await store.consoleSessions.list(userId)).map(({ id }) => id)).toEqual([token]);
  });

  it('purges what has expired or lain idle, and nothing else', async () => {
    const { userId } = await newUser();
    const kept = await open(userId);
    await open(userId, null, 1);
    await open(userId, 'hash-e');
    await stores.execute(
      "update console_sessions set last_used_at = last_used_at - ? where secret_hash = 'hash-e'",
      [HOUR],
    );
    while (await store.consoleSessions.purge());
    expect(await rows(userId)).toBe(1);
    expect(await store.consoleSessions.find({ id: kept })).not.toBeNull();
  });

  it('keeps two hundred of a user, the newest', async () => {
    const { userId } = await newUser();
    const first = await open(userId);
    await stores.execute(
      'update console_sessions set created_at = created_at - 1000 where id = ?',
      [first],
    );
    for (let n = 0; n < 200; n += 1) await open(userId);
    expect(await rows(userId)).toBe(200);
    expect(await store.consoleSessions.find({ id: first })).toBeNull();
  });
});
