import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { SYSTEM_SCOPE, type Vault } from './vault.ts';

/** One private key at rest. Times are real milliseconds, never offset by the test clock (D133). */
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
   * In one transaction: retires `currentKid` at `next.createdAt` and inserts `next`. False, and
   * nothing written, when `currentKid` is no longer the current key (null: when there is one).
   */
  replaceCurrent(currentKid: string | null, next: KeyRecord): Promise<boolean>;
  destroy(kids: readonly string[]): Promise<void>;
}

export interface RotationPolicy {
  /** How long a key is the one in use. */
  readonly currentMs: number;
  /** How long it is still accepted afterwards, before it is destroyed. */
  readonly previousMs: number;
}

export interface RotationPlan {
  readonly current: string | null;
  readonly rotationDue: boolean;
  /** Keys in force: the current one first, then the retired ones, newest first. */
  readonly usable: readonly string[];
  readonly destroy: readonly string[];
}

type KeyTimes = Pick<KeyRecord, 'kid' | 'createdAt' | 'retiredAt'>;

/** What the times of a ring's keys ask for at `now` (D58). */
export function planRotation(
  records: readonly KeyTimes[],
  now: number,
  policy: RotationPolicy,
): RotationPlan {
  const newestFirst = records.toSorted((a, b) => b.createdAt - a.createdAt);
  const current = newestFirst.find((record) => record.retiredAt === null);
  const inForce = ({ retiredAt }: KeyTimes) =>
    retiredAt !== null && now < retiredAt + policy.previousMs;
  const previous = newestFirst.filter(inForce);
  return {
    current: current?.kid ?? null,
    rotationDue: current === undefined || now >= current.createdAt + policy.currentMs,
    usable: [...(current ? [current] : []), ...previous].map(({ kid }) => kid),
    destroy: newestFirst
      .filter((record) => record.retiredAt !== null && !inForce(record))
      .map(({ kid }) => kid),
  };
}

export interface RingKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export interface KeyRing {
  /** The keys in force as the store has them now, current first; makes the first key if none is. */
  keys(): Promise<readonly RingKey[]>;
  /** The keys in force as last read: without I/O, perhaps behind another process's rotation. */
  known(): readonly RingKey[];
  /** Puts a new key in use at once and answers its kid. */
  rotate(): Promise<string>;
  /** Rotates when the policy says so and destroys keys past their time. Call it now and then. */
  maintain(): Promise<void>;
}

export interface KeyRingOptions {
  /** The table whose rows the store keeps: part of what the keys are sealed under. */
  readonly table: string;
  readonly policy: RotationPolicy;
  readonly store: KeyRecordStore;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly generate: () => Promise<KeyObject>;
  /** Real time in milliseconds (D133). */
  readonly now: () => number;
}

/** A ring of private keys that several processes share through one store. */
export function createKeyRing(options: KeyRingOptions): KeyRing {
  const { policy, store, vault, now } = options;
  const opened = new Map<string, RingKey>();
  let records: readonly KeyTimes[] = [];
  let firstKey: Promise<string> | undefined;

  const placeOf = (kid: string) => ({ table: options.table, column: 'private_key', row: kid });

  async function read(): Promise<RotationPlan> {
    const rows = await store.list();
    for (const { kid, privateKeySealed } of rows) {
      if (opened.has(kid)) continue;
      const pkcs8 = await vault.open(SYSTEM_SCOPE, placeOf(kid), privateKeySealed);
      opened.set(kid, ringKey(kid, pkcs8));
    }
    for (const kid of opened.keys()) {
      if (!rows.some((row) => row.kid === kid)) opened.delete(kid);
    }
    records = rows;
    return planRotation(rows, now(), policy);
  }

  async function replace(currentKid: string | null): Promise<string> {
    const privateKey = await options.generate();
    const kid = await thumbprint(privateKey);
    const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
    const privateKeySealed = await vault.seal(SYSTEM_SCOPE, placeOf(kid), pkcs8);
    await store.replaceCurrent(currentKid, {
      kid,
      privateKeySealed,
      createdAt: now(),
      retiredAt: null,
    });
    // Whoever was first, the store now says which key is current.
    return (await read()).current ?? kid;
  }

  function known(): readonly RingKey[] {
    return planRotation(records, now(), policy).usable.flatMap((kid) => {
      const key = opened.get(kid);
      return key ? [key] : [];
    });
  }

  return {
    known,
    async keys() {
      const { current } = await read();
      if (current === null) {
        firstKey ??= replace(null).finally(() => {
          firstKey = undefined;
        });
        await firstKey;
      }
      return known();
    },
    async rotate() {
      return replace((await read()).current);
    },
    async maintain() {
      const plan = await read();
      if (plan.destroy.length > 0) await store.destroy(plan.destroy);
      if (plan.rotationDue) await replace(plan.current);
      else if (plan.destroy.length > 0) await read();
    },
  };
}

function ringKey(kid: string, pkcs8: Uint8Array): RingKey {
  const privateKey = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
  return { kid, privateKey, publicKey: createPublicKey(privateKey) };
}

/** RFC 7638 thumbprint of the public half: the kid of every key here (D58). */
async function thumbprint(privateKey: KeyObject): Promise<string> {
  return calculateJwkThumbprint(createPublicKey(privateKey).export({ format: 'jwk' }));
}
