import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { createKeyRing, type KeyRecordStore } from '../../crypto/key-ring.ts';
import { deriveMasterKey, type MasterKeys } from '../../crypto/master-keys/master-key.ts';
import { fixedMasterKeys } from '../../crypto/master-keys/master-key-source.ts';
import { NO_SECRETS } from '../../crypto/organization-secrets.ts';
import { rewrapKeys } from '../../crypto/rotation/rewrap-keys.ts';
import { SIGNING_KEY_POLICY } from '../../crypto/signing-keys.ts';
import { createVault, type Vault } from '../../crypto/vault.ts';
import type { Store } from '../database.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { ALL_ACTS } from '../testing/no-filter.ts';

const [first, second] = [
  deriveMasterKey(Buffer.alloc(32, 1)),
  deriveMasterKey(Buffer.alloc(32, 2)),
];
const place = { table: 't', column: 'c', row: 'r' };

function vaultOn({ organizationKeys }: Store, keys: MasterKeys): Vault {
  return createVault({
    masterKeys: fixedMasterKeys(keys),
    organizationKeys: {
      load: organizationKeys.load,
      saveIfAbsent: (scope, wrapped) => organizationKeys.saveIfAbsent({ scope, wrapped }),
    },
  });
}

describeStores('keys at rest', (stores) => {
  it('agrees on one key when processes make it at once (D64)', async () => {
    const opened = [await stores.open(), await stores.open()];
    const vaults = Array.from({ length: 8 }, (_, n) => vaultOn(opened[n % 2] as Store, [first]));
    const sealed = await Promise.all(
      vaults.map((vault, n) => vault.seal('1', place, Buffer.from(`secret ${n}`))),
    );
    for (const [n, bytes] of sealed.entries()) {
      const opens = await vaultOn(opened[0] as Store, [first]).open('1', place, bytes);
      expect(Buffer.from(opens).toString()).toBe(`secret ${n}`);
    }
  });

  it('moves every data key to the new master key and still opens what was sealed (D64)', async () => {
    const store = await stores.open();
    const before = vaultOn(store, [first]);
    const sealed = await Promise.all(
      ['2', '3', 'system'].map((scope) => before.seal(scope, place, Buffer.from(scope))),
    );
    expect(
      await rewrapKeys(store.organizationKeys, fixedMasterKeys([second, first]), NO_SECRETS),
    ).toBeGreaterThanOrEqual(3);
    expect(
      await rewrapKeys(store.organizationKeys, fixedMasterKeys([second, first]), NO_SECRETS),
    ).toBe(0);
    expect(await store.organizationKeys.masterKeyCheck()).toBe(second.id);
    await store.organizationKeys.setMasterKeyCheck({ id: first.id, onlyIfAbsent: false });
    await rewrapKeys(store.organizationKeys, fixedMasterKeys([second, first]), NO_SECRETS);
    const [act] = await store.audit.list({ ...ALL_ACTS, act: 'keys.rotate_master', limit: 1 });
    expect(act).toMatchObject({ target: second.id, details: { from: first.id } });
    const after = vaultOn(store, [second]);
    for (const [n, scope] of ['2', '3', 'system'].entries()) {
      const opened = await after.open(scope, place, sealed[n] as Uint8Array);
      expect(Buffer.from(opened).toString()).toBe(scope);
    }
    await expect(vaultOn(store, [first]).open('2', place, sealed[0] as Uint8Array)).rejects.toThrow(
      'master key',
    );
  });

  it('agrees on the current key when processes make or rotate it at once (D58)', async () => {
    const opened = [await stores.open(), await stores.open()];
    const rings = Array.from({ length: 6 }, (_, n) => {
      const store = opened[n % 2] as Store;
      const records: KeyRecordStore = {
        list: () => store.ringKeys.list('signing_keys'),
        replaceCurrent: (currentKid, next) =>
          store.ringKeys.replaceCurrent({ ring: 'signing_keys', currentKid, next }),
        destroy: (kids) => store.ringKeys.destroy({ ring: 'signing_keys', kids }),
      };
      return createKeyRing({
        ring: 'signing_keys',
        policy: SIGNING_KEY_POLICY,
        store: records,
        vault: vaultOn(store, [second, first]),
        generate: async () => generateKeyPairSync('ed25519').privateKey,
        now: () => Date.now(),
      });
    });
    const made = await Promise.all(rings.map((ring) => ring.keys()));
    expect(new Set(made.map(([key]) => key?.kid)).size).toBe(1);
    await Promise.all(rings.slice(0, 3).map((ring) => ring.rotate()));
    const after = await Promise.all(rings.map((ring) => ring.keys()));
    expect(new Set(after.map(([key]) => key?.kid)).size).toBe(1);
    const kids = after[0]?.map(({ kid }) => kid);
    expect(kids).toContain(made[0]?.[0]?.kid);
    const acts = await opened[0]?.audit.list({ ...ALL_ACTS, act: 'keys.rotate', limit: 20 });
    expect(acts?.map(({ target }) => target)).toEqual(kids);
  });

  it('wraps no previous data key again that was destroyed after it was read (D64)', async () => {
    const { organizationKeys } = await stores.open();
    const scope = 'destroyed';
    const rewrap = (from: string, to: string) => {
      const [old, next] = [Buffer.from(from), Buffer.from(to)];
      return organizationKeys.rewrap({ scope, from: old, to: { wrapped: next, previous: next } });
    };
    const stored = async () => {
      const { wrapped, previous } = (await organizationKeys.load(scope)) ?? {};
      return [wrapped, previous].map((bytes) => bytes && Buffer.from(bytes).toString());
    };
    await organizationKeys.saveIfAbsent({ scope, wrapped: Buffer.from('one') });
    expect(await rewrap('one', 'two')).toBe(true);
    expect(await stored()).toEqual(['two', null]);
    await stores.execute('update organization_keys set previous = wrapped where scope = ?', [
      scope,
    ]);
    expect(await rewrap('two', 'three')).toBe(true);
    expect(await stored()).toEqual(['three', 'three']);
  });
});
