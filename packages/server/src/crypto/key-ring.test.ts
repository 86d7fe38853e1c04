import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { ENV_SCOPES } from '@changgu/contract';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { memoryKeyRecords, memoryOrganizationKeys } from '../../test/memory-key-stores.ts';
import { createKeyRing, planRotation } from './key-ring.ts';
import { deriveMasterKey } from './master-keys/master-key.ts';
import { fixedMasterKeys } from './master-keys/master-key-source.ts';
import { encryptionRing, scopeOfRing } from './ring-name.ts';
import { createVault } from './vault.ts';

const policy = { currentMs: 90, previousMs: 7 };

describe('rotation policy (D58)', () => {
  it.each([
    { now: 0, rotationDue: false },
    { now: 89, rotationDue: false },
    { now: 90, rotationDue: true },
  ])('a key made at 0 is due at $now: $rotationDue', ({ now, rotationDue }) => {
    const key = { createdAt: 0, retiredAt: null };
    const plan = planRotation([key], now, policy);
    expect(plan).toEqual({ current: key, rotationDue, usable: [key], destroy: [] });
  });

  it('an empty ring is due', () => {
    expect(planRotation([], 5, policy)).toEqual({
      current: undefined,
      rotationDue: true,
      usable: [],
      destroy: [],
    });
  });

  it('the retired key is listed second for its time, then destroyed', () => {
    const old = { createdAt: 0, retiredAt: 90 };
    const current = { createdAt: 90, retiredAt: null };
    expect(planRotation([old, current], 96, policy)).toMatchObject({
      usable: [current, old],
      destroy: [],
    });
    expect(planRotation([old, current], 97, policy)).toMatchObject({
      usable: [current],
      destroy: [old],
    });
  });

  it('every key is either in force or to be destroyed, and the current one comes first', () => {
    const retiredKey = fc.record({ createdAt: fc.nat(200), retiredAt: fc.nat(300) });
    const currentKey = fc.record({ createdAt: fc.nat(200), retiredAt: fc.constant(null) });
    fc.assert(
      fc.property(fc.array(retiredKey), fc.option(currentKey), fc.nat(400), (old, key, now) => {
        const keys = key ? [...old, key] : old;
        const plan = planRotation(keys, now, policy);
        expect(plan.current).toBe(key ?? undefined);
        expect(plan.usable.findIndex(({ retiredAt }) => retiredAt === null)).toBe(key ? 0 : -1);
        expect(new Set([...plan.usable, ...plan.destroy])).toEqual(new Set(keys));
        expect(plan.usable.length + plan.destroy.length).toBe(keys.length);
      }),
    );
  });
});

it('a ring is sealed for the organization in its name, whatever the environment, or for the system', () => {
  const scopes = ENV_SCOPES.map((envScope) => scopeOfRing(encryptionRing(7, envScope)));
  expect(new Set(scopes)).toEqual(new Set(['7']));
  expect(scopeOfRing('signing_keys')).toBe('system');
});

describe('key ring (D58)', () => {
  function setup() {
    const clock = { now: 1_000 };
    const store = memoryKeyRecords();
    const vault = createVault({
      masterKeys: fixedMasterKeys([deriveMasterKey(new Uint8Array(32))]),
      organizationKeys: memoryOrganizationKeys(),
    });
    const generate = vi.fn<() => Promise<KeyObject>>(
      async () => generateKeyPairSync('ed25519').privateKey,
    );
    const open = () =>
      createKeyRing({
        ring: 'signing_keys',
        policy,
        store,
        vault,
        generate,
        now: () => clock.now,
      });
    return { clock, store, generate, open };
  }
  const kids = (keys: readonly { kid: string }[]) => keys.map(({ kid }) => kid);

  it('makes the first key once, however many ask', async () => {
    const { open, generate, store } = setup();
    const ring = open();
    const [first, second] = await Promise.all([ring.keys(), ring.keys(), ring.maintain()]);
    expect(kids(first)).toHaveLength(1);
    expect(kids(second)).toEqual(kids(first));
    expect(generate).toHaveBeenCalledTimes(1);
    expect([...store.rows.keys()]).toEqual(kids(first));
  });

  it('two processes starting at once agree on one key', async () => {
    const { open, store } = setup();
    const [one, other] = await Promise.all([open().keys(), open().keys()]);
    expect(kids(one)).toEqual(kids(other));
    expect(store.rows.size).toBe(1);
  });

  it('keeps the private key sealed, and opens the same one after a restart', async () => {
    const { open, store } = setup();
    const [key] = await open().keys();
    const pkcs8 = key?.privateKey.export({ format: 'der', type: 'pkcs8' });
    const [row] = store.rows.values();
    expect(Buffer.from(row?.privateKeySealed ?? []).includes(pkcs8?.subarray(-32) ?? '')).toBe(
      false,
    );
    const [reopened] = await open().keys();
    expect(reopened?.privateKey.equals(key?.privateKey ?? never())).toBe(true);
  });

  it('rotates when due, lists the previous key for its time and destroys it then', async () => {
    const { open, clock, store } = setup();
    const ring = open();
    const [first] = kids(await ring.keys());
    clock.now += 89;
    await ring.maintain();
    expect(kids(ring.known())).toEqual([first]);
    clock.now += 1;
    await ring.maintain();
    const [second] = kids(ring.known());
    expect(kids(ring.known())).toEqual([second, first]);
    expect(second).not.toBe(first);
    clock.now += 7;
    expect(kids(ring.known())).toEqual([second]);
    await ring.maintain();
    expect([...store.rows.keys()]).toEqual([second]);
  });

  it('a rotation by command is seen by another process at its next read', async () => {
    const { open } = setup();
    const [here, there] = [open(), open()];
    const [first] = kids(await there.keys());
    await here.rotate();
    const [second] = kids(here.known());
    expect(second).not.toBe(first);
    expect(kids(there.known())).toEqual([first]);
    expect(kids(await there.keys())).toEqual([second, first]);
  });

  it('two processes rotating at once make one new key', async () => {
    const { open, clock, store } = setup();
    const [here, there] = [open(), open()];
    await here.keys();
    clock.now += 90;
    await Promise.all([here.maintain(), there.maintain()]);
    expect(kids(here.known())).toEqual(kids(there.known()));
    expect(store.rows.size).toBe(2);
  });
});

function never(): never {
  throw new Error('no key');
}
