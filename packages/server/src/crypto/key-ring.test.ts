import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { memoryKeyRecords, memoryOrganizationKeys } from '../../test/memory-key-stores.ts';
import { createKeyRing, planRotation } from './key-ring.ts';
import { deriveMasterKey } from './master-key.ts';
import { fixedMasterKeys } from './master-key-source.ts';
import { createVault } from './vault.ts';

const policy = { currentMs: 90, previousMs: 7 };

describe('D58 rotation policy', () => {
  it.each([
    { now: 0, rotationDue: false },
    { now: 89, rotationDue: false },
    { now: 90, rotationDue: true },
  ])('a key made at 0 is due at $now: $rotationDue', ({ now, rotationDue }) => {
    const plan = planRotation([{ kid: 'a', createdAt: 0, retiredAt: null }], now, policy);
    expect(plan).toEqual({ current: 'a', rotationDue, usable: ['a'], destroy: [] });
  });

  it('an empty ring is due', () => {
    expect(planRotation([], 5, policy)).toEqual({
      current: null,
      rotationDue: true,
      usable: [],
      destroy: [],
    });
  });

  it('the retired key is listed second for its time, then destroyed', () => {
    const records = [
      { kid: 'old', createdAt: 0, retiredAt: 90 },
      { kid: 'new', createdAt: 90, retiredAt: null },
    ];
    expect(planRotation(records, 96, policy)).toMatchObject({
      usable: ['new', 'old'],
      destroy: [],
    });
    expect(planRotation(records, 97, policy)).toMatchObject({ usable: ['new'], destroy: ['old'] });
  });

  it('every key is either usable or to be destroyed, and the current one comes first', () => {
    const record = fc.record({ createdAt: fc.nat(200), age: fc.option(fc.nat(100)) });
    fc.assert(
      fc.property(fc.array(record, { maxLength: 6 }), fc.nat(400), (drawn, now) => {
        const records = drawn.map(({ createdAt, age }, index) => ({
          kid: String(index),
          createdAt,
          retiredAt: age === null ? null : createdAt + age,
        }));
        const plan = planRotation(records, now, policy);
        const current = records.filter(({ retiredAt }) => retiredAt === null);
        expect(plan.current === null).toBe(current.length === 0);
        if (plan.current !== null) expect(plan.usable[0]).toBe(plan.current);
        const retired = records.filter(({ retiredAt }) => retiredAt !== null).length;
        const listed = plan.usable.length - (plan.current === null ? 0 : 1);
        expect(listed + plan.destroy.length).toBe(retired);
      }),
    );
  });
});

describe('D58 key ring', () => {
  function setup() {
    const clock = { now: 1_000 };
    const store = memoryKeyRecords();
    const vault = createVault({
      masterKeys: fixedMasterKeys([deriveMasterKey(new Uint8Array(32))]),
      organizationKeys: memoryOrganizationKeys(),
    });
    const generate = vi.fn(async () => generateKeyPairSync('ed25519').privateKey);
    const open = () =>
      createKeyRing({
        table: 'test_keys',
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
    const [first, second] = await Promise.all([ring.keys(), ring.keys()]);
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
    const second = await here.rotate();
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
