import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../database.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { registerOwner } from '../testing/seed.ts';
import type { NewPasskey } from './passkeys.ts';

describeStores('passkeys', (stores) => {
  let store: Store;
  /** A second process on the same database. */
  let other: Store;
  beforeAll(async () => {
    store = await stores.open();
    other = await stores.open();
  });

  async function newPasskey(of?: NewPasskey): Promise<NewPasskey> {
    const who = of ?? (await registerOwner(store, `${randomUUID()}@example.com`));
    return {
      id: randomUUID(),
      userId: who.userId,
      organizationId: who.organizationId,
      label: null,
      credentialId: randomUUID(),
      userHandle: 'handle',
      publicKey: Buffer.from('sealed'),
      counter: 0,
      transports: ['internal', 'hybrid'],
      codeHashes: [randomUUID()],
      sessionId: null,
      actor: { kind: 'system', id: 'test', traceId: null },
    };
  }

  it('of two processes that add the first one, only one makes recovery codes', async () => {
    const first = await newPasskey();
    const second = await newPasskey(first);
    const added = await Promise.all([store.passkeys.add(first), other.passkeys.add(second)]);
    expect(added.filter(({ isFirst }) => isFirst)).toHaveLength(1);
    const overview = await store.factors.overview(first.userId);
    expect([overview.factors.length, overview.recoveryCodesLeft]).toEqual([2, 1]);
    const { credentials } = await store.passkeys.ofUser(first.userId);
    expect(credentials[0]?.transports).toEqual(['internal', 'hybrid']);
  });

  it('one credential belongs to one user, and a user has twenty at most', async () => {
    const passkey = await newPasskey();
    await store.passkeys.add(passkey);
    const { credentialId } = passkey;
    const stolen = { ...(await newPasskey()), credentialId };
    await expect(store.passkeys.add(stolen)).rejects.toMatchObject({ code: 'CONFLICT_DUPLICATE' });
    for (let n = 1; n < 20; n += 1) await store.passkeys.add(await newPasskey(passkey));
    await expect(store.passkeys.add(await newPasskey(passkey))).rejects.toMatchObject({
      code: 'POLICY_LIMIT_REACHED',
    });
  });

  describe('once, between two processes', () => {
    it('an attempt', async () => {
      const attempt = { attemptHash: randomUUID(), expiresAt: 1 };
      const used = await Promise.all(
        [store, other].map(({ passkeys }) => passkeys.useAttempt(attempt)),
      );
      expect(used.filter(Boolean)).toHaveLength(1);
      while (await store.passkeys.purgeAttempts());
      expect(await stores.execute('select * from used_passkey_attempts')).toEqual([]);
    });

    it('a count of the authenticator', async () => {
      const passkey = await newPasskey();
      await store.passkeys.add(passkey);
      const use = (counter: number) =>
        Promise.all(
          [store, other].map(({ passkeys }) => passkeys.use({ id: passkey.id, counter })),
        );
      expect(await use(0)).toEqual([true, true]);
      expect((await use(5)).filter(Boolean)).toHaveLength(1);
      expect(await use(4)).toEqual([false, false]);
      expect(await use(0)).toEqual([false, false]);
    });
  });

  it('the codes stay until the last factor is removed', async () => {
    const passkey = await newPasskey();
    const second = await newPasskey(passkey);
    await store.passkeys.add(passkey);
    await store.passkeys.add(second);
    const left = async () => (await store.factors.overview(passkey.userId)).recoveryCodesLeft;
    const remove = ({ id, userId, organizationId, actor }: NewPasskey) =>
      store.factors.remove({ id, userId, organizationId, actor });
    await remove(passkey);
    expect(await left()).toBe(1);
    await remove(second);
    expect(await left()).toBe(0);
  });
});
