import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { type RingName, scopeOfRing } from './ring-name.ts';
import type { SealedPlace, Vault } from './vault.ts';

/** One private key at rest. Times are real milliseconds, never shifted by the test clock. */
export interface KeyRecord {
  readonly kid: string;
  readonly privateKeySealed: Uint8Array;
  readonly createdAt: number;
  /** When its successor took over; null for the current key. */
  readonly retiredAt: number | null;
}

/** The rows of one ring. */
export interface KeyRecordStore {
  list(): Promise<readonly KeyRecord[]>;
  /**
   * In one transaction: retires `currentKid` at `next.createdAt` and inserts `next`. Returns false without
   * writing when `currentKid` is no longer the current key (null: when there already is one).
   */
  replaceCurrent(currentKid: string | null, next: KeyRecord): Promise<boolean>;
  destroy(kids: readonly string[]): Promise<void>;
}

export interface RotationPolicy {
  /** How long a key is the current one. */
  readonly currentMs: number;
  /** How long it is accepted afterwards, before it is destroyed. */
  readonly previousMs: number;
}

type KeyTimes = Pick<KeyRecord, 'createdAt' | 'retiredAt'>;

export interface RotationPlan<Key> {
  readonly current: Key | undefined;
  readonly rotationDue: boolean;
  /** Keys in force: the current one first, then the retired ones, newest first. */
  readonly usable: readonly Key[];
  readonly destroy: readonly Key[];
}

/** What is due for a ring's keys at `now`. */
export function planRotation<Key extends KeyTimes>(
  keys: readonly Key[],
  now: number,
  policy: RotationPolicy,
): RotationPlan<Key> {
  const newestFirst = keys.toSorted((a, b) => b.createdAt - a.createdAt);
  const current = newestFirst.find(({ retiredAt }) => retiredAt === null);
  const retired = newestFirst.filter(({ retiredAt }) => retiredAt !== null);
  const inForce = ({ retiredAt }: Key) => now < (retiredAt ?? now) + policy.previousMs;
  return {
    current,
    rotationDue: current === undefined || now >= current.createdAt + policy.currentMs,
    usable: [...(current ? [current] : []), ...retired.filter(inForce)],
    destroy: retired.filter((key) => !inForce(key)),
  };
}

export interface RingKey extends KeyTimes {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export interface KeyRing {
  /** The keys in force as stored now, the current one first. Creates the first key if there is none. */
  keys(): Promise<readonly RingKey[]>;
  /** The keys in force as last read: no I/O, and possibly behind another process's rotation. */
  known(): readonly RingKey[];
  /** Makes a new key the current one at once. */
  rotate(): Promise<void>;
  /** Makes a new key the current one and destroys all others at once: what they signed becomes invalid. */
  revoke(): Promise<void>;
  /** Rotates when the policy says so and destroys expired keys. Call it regularly. */
  maintain(): Promise<void>;
}

export interface KeyRingOptions {
  /** Included in what the keys are sealed under: a key of one ring does not open in another. */
  readonly ring: RingName;
  readonly policy: RotationPolicy;
  readonly store: KeyRecordStore;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly generate: () => Promise<KeyObject>;
  /** Real time in milliseconds. */
  readonly now: () => number;
}

/** A ring of private keys shared by several processes through one store. */
export function createKeyRing(options: KeyRingOptions): KeyRing {
  const { policy, store, now } = options;
  let lastRead: readonly RingKey[] = [];
  let replacing: Promise<void> | undefined;

  const plan = (keys: readonly RingKey[]) => planRotation(keys, now(), policy);

  async function open(record: KeyRecord): Promise<RingKey> {
    const { kid, createdAt, retiredAt } = record;
    const before = lastRead.find((key) => key.kid === kid);
    return before ? { ...before, createdAt, retiredAt } : unseal(options, record);
  }

  async function read(): Promise<readonly RingKey[]> {
    const keys = await Promise.all((await store.list()).map(open));
    lastRead = keys;
    return keys;
  }

  /** Generating a key can take a second; concurrent callers get the same one. */
  function replace(current: RingKey | undefined): Promise<void> {
    replacing ??= putNewKey(current?.kid ?? null).finally(() => {
      replacing = undefined;
    });
    return replacing;
  }

  /** If another process was first, its key is as good as this one. */
  async function putNewKey(currentKid: string | null): Promise<void> {
    await store.replaceCurrent(currentKid, await generateSealed(options));
  }

  return {
    known: () => plan(lastRead).usable,
    async keys() {
      const keys = plan(await read());
      if (keys.current) return keys.usable;
      await replace(undefined);
      return plan(await read()).usable;
    },
    async rotate() {
      await replace(plan(await read()).current);
      await read();
    },
    async revoke() {
      await replace(plan(await read()).current);
      const [current, ...others] = (await read()).toSorted((a, b) => b.createdAt - a.createdAt);
      const leaked = others.filter(({ kid }) => kid !== current?.kid).map(({ kid }) => kid);
      if (leaked.length > 0) await store.destroy(leaked);
      await read();
    },
    async maintain() {
      const { destroy, rotationDue, current } = plan(await read());
      if (destroy.length > 0) await store.destroy(destroy.map(({ kid }) => kid));
      if (rotationDue) await replace(current);
      await read();
    },
  };
}

async function unseal(
  { ring, vault }: KeyRingOptions,
  { kid, privateKeySealed, ...times }: KeyRecord,
): Promise<RingKey> {
  const pkcs8 = await vault.open(scopeOfRing(ring), placeOf(ring, kid), privateKeySealed);
  const privateKey = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
  return { kid, ...times, privateKey, publicKey: createPublicKey(privateKey) };
}

/** A new current key. */
async function generateSealed(options: KeyRingOptions): Promise<KeyRecord> {
  const { ring, vault, generate, now } = options;
  const privateKey = await generate();
  const kid = await thumbprint(privateKey);
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
  const privateKeySealed = await vault.seal(scopeOfRing(ring), placeOf(ring, kid), pkcs8);
  return { kid, privateKeySealed, createdAt: now(), retiredAt: null };
}

function placeOf(ring: RingName, kid: string): SealedPlace {
  return { table: ring, column: 'private_key', row: kid };
}

/** RFC 7638 thumbprint of the public half, used as the kid of every key here. */
async function thumbprint(privateKey: KeyObject): Promise<string> {
  return calculateJwkThumbprint(createPublicKey(privateKey).export({ format: 'jwk' }));
}
