import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { memoryOrganizationKeys } from '../../test/memory-key-stores.ts';
import { deriveMasterKey, type MasterKeys } from './master-keys/master-key.ts';
import { fixedMasterKeys } from './master-keys/master-key-source.ts';
import { rewrapOrganizationKey } from './organization-key.ts';
import { SEAL_OVERHEAD_BYTES, SealError } from './sealed-box.ts';
import { createVault } from './vault.ts';

const master = deriveMasterKey(new Uint8Array(32).fill(1));
const nextMaster = deriveMasterKey(new Uint8Array(32).fill(2));
const place = { table: 'jobs', column: 'result', row: 'job_1' };
const secret = Buffer.from('account_password=1234');

function setup(keys: MasterKeys = [master], cacheSize = 10) {
  const organizationKeys = memoryOrganizationKeys();
  const open = (masterKeys = fixedMasterKeys(keys)) =>
    createVault({ masterKeys, organizationKeys, cacheSize });
  return { organizationKeys, open, vault: open() };
}

const word = fc.string({ maxLength: 12 });
const anyPlace = fc.record({ table: word, column: word, row: word });

describe('vault (D64)', () => {
  it('returns any bytes from their place and adds only 29 bytes', async () => {
    const { vault } = setup();
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), anyPlace, async (bytes, where) => {
        const sealed = await vault.seal('org', where, bytes);
        expect(sealed).toHaveLength(bytes.length + SEAL_OVERHEAD_BYTES);
        expect(new Uint8Array(await vault.open('org', where, sealed))).toEqual(bytes);
      }),
    );
  });

  it('detects any flipped bit', async () => {
    const { vault } = setup();
    const sealed = await vault.seal('org', place, secret);
    await fc.assert(
      fc.asyncProperty(fc.nat(sealed.length * 8 - 1), async (bit) => {
        const changed = Uint8Array.from(sealed);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        await expect(vault.open('org', place, changed)).rejects.toThrow(SealError);
      }),
    );
  });

  it('detects any truncation', async () => {
    const { vault } = setup();
    const sealed = await vault.seal('org', place, secret);
    for (let length = 0; length < sealed.length; length += 1) {
      await expect(vault.open('org', place, sealed.subarray(0, length))).rejects.toThrow(SealError);
    }
  });

  it('does not open in another place', async () => {
    const { vault } = setup();
    await fc.assert(
      fc.asyncProperty(anyPlace, anyPlace, async (here, there) => {
        fc.pre(JSON.stringify(here) !== JSON.stringify(there));
        const sealed = await vault.seal('org', here, secret);
        await expect(vault.open('org', there, sealed)).rejects.toThrow(SealError);
      }),
    );
    const sealed = await vault.seal('org', { table: 'a', column: 'b|c', row: 'd' }, secret);
    const shifted = { table: 'a|b', column: 'c', row: 'd' };
    await expect(vault.open('org', shifted, sealed)).rejects.toThrow(SealError);
  });

  it('does not open for another organization', async () => {
    const { vault } = setup();
    const sealed = await vault.seal('org', place, secret);
    await vault.seal('other', place, secret);
    await expect(vault.open('other', place, sealed)).rejects.toThrow(SealError);
    await expect(vault.open('unknown', place, sealed)).rejects.toThrow(SealError);
  });

  it('never seals the same bytes to the same ciphertext, which does not contain them', async () => {
    const { vault } = setup();
    const [one, two] = await Promise.all([
      vault.seal('org', place, secret),
      vault.seal('org', place, secret),
    ]);
    expect(one).not.toEqual(two);
    expect(Buffer.from(one).includes(secret.subarray(0, 8))).toBe(false);
  });

  it('agrees on one key when processes make the first one at once', async () => {
    const { open } = setup();
    const [here, there] = [open(), open()];
    const [one, two] = await Promise.all([
      here.seal('org', place, secret),
      there.seal('org', place, secret),
    ]);
    expect(Buffer.from(await here.open('org', place, two))).toEqual(secret);
    expect(Buffer.from(await there.open('org', place, one))).toEqual(secret);
  });

  it('opens nothing with a key that the store deleted, once memory forgets it (R131)', async () => {
    const { vault, organizationKeys } = setup();
    const sealed = await vault.seal('org', place, secret);
    organizationKeys.rows.delete('org');
    expect(Buffer.from(await vault.open('org', place, sealed))).toEqual(secret);
    vault.forgetOrganizationKey('org');
    await expect(vault.open('org', place, sealed)).rejects.toThrow(SealError);
  });

  it('keeps the most recently used keys in memory, up to its limit', async () => {
    const { vault, organizationKeys } = setup([master], 2);
    for (const organization of ['a', 'b', 'a', 'c']) await vault.seal(organization, place, secret);
    const load = vi.spyOn(organizationKeys, 'load');
    await vault.seal('a', place, secret);
    await vault.seal('c', place, secret);
    expect(load).not.toHaveBeenCalled();
    await vault.seal('b', place, secret);
    expect(load).toHaveBeenCalledExactlyOnceWith('b');
  });
});

describe('rotation of the master key (D58)', () => {
  it('a rewrapped key opens what was sealed before, under the new master alone', async () => {
    const { vault, organizationKeys, open } = setup();
    const sealed = await vault.seal('org', place, secret);
    const wrapped = organizationKeys.rows.get('org') ?? new Uint8Array();
    organizationKeys.rows.set('org', rewrapOrganizationKey([master], nextMaster, 'org', wrapped));

    const renewed = open(fixedMasterKeys([nextMaster]));
    expect(Buffer.from(await renewed.open('org', place, sealed))).toEqual(secret);
    const outdated = open(fixedMasterKeys([master]));
    await expect(outdated.open('org', place, sealed)).rejects.toThrow(SealError);
  });

  it('a running server reads its master keys again when it meets a new one', async () => {
    const { vault, organizationKeys, open } = setup();
    const sealed = await vault.seal('org', place, secret);
    let keys: MasterKeys = [master];
    const running = open({
      keys: () => keys,
      reload: async () => {
        keys = [nextMaster, master];
      },
    });
    const wrapped = organizationKeys.rows.get('org') ?? new Uint8Array();
    organizationKeys.rows.set('org', rewrapOrganizationKey([master], nextMaster, 'org', wrapped));
    expect(Buffer.from(await running.open('org', place, sealed))).toEqual(secret);
  });

  it('a wrapped key does not open as another organization’s', async () => {
    const { vault, organizationKeys, open } = setup();
    const sealed = await vault.seal('org', place, secret);
    organizationKeys.rows.set('thief', organizationKeys.rows.get('org') ?? new Uint8Array());
    await expect(open().open('thief', place, sealed)).rejects.toThrow(SealError);
  });
});
