import { sql } from 'kysely';
import type { KeyRecord } from '../../crypto/key-ring.ts';
import { ENCRYPTION_RINGS, type RingName } from '../../crypto/ring-name.ts';
import type { Actor } from '../../rules/principals/actor.ts';
import { COLUMNS } from '../schema/columns.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, write } from '../transactions/script.ts';

/** Rotated by command or by schedule. */
export const KEYS: Actor = { kind: 'system', id: 'keys', traceId: null };

const IS_ENCRYPTION_RING = sql<boolean>`ring like ${ENCRYPTION_RINGS}`;

interface RingKids {
  readonly ring: RingName;
  readonly kids: readonly string[];
}

/** Real times in milliseconds. */
export interface ExpiryTimes {
  readonly now: number;
  readonly retireMadeBefore: number;
  readonly destroyRetiredBefore: number;
}

/** The rows of the key rings. Their private keys are sealed before they get here. */
export const ringKeyScripts = {
  list: read(async (tx, ring: RingName): Promise<KeyRecord[]> => {
    const rows = await tx.db
      .selectFrom('ring_keys')
      .select(COLUMNS.ring_keys)
      .where('ring', '=', ring)
      .orderBy('created_at', 'desc')
      .execute();
    return rows.map((row) => ({
      kid: row.kid,
      privateKeySealed: row.private_key,
      createdAt: row.created_at,
      retiredAt: row.retired_at,
    }));
  }),

  /** Returns false without writing when another key is current by now. */
  replaceCurrent: write(
    async (
      tx,
      input: {
        readonly ring: RingName;
        readonly currentKid: string | null;
        readonly next: KeyRecord;
      },
    ): Promise<boolean> => {
      const { ring, currentKid, next } = input;
      await tx.dialect.lock(tx, `ring:${ring}`);
      const current = await tx.db
        .selectFrom('ring_keys')
        .select('kid')
        .where('ring', '=', ring)
        .where('retired_at', 'is', null)
        .executeTakeFirst();
      if ((current?.kid ?? null) !== currentKid) return false;
      if (currentKid !== null) {
        await tx.db
          .updateTable('ring_keys')
          .set({ retired_at: next.createdAt })
          .where('ring', '=', ring)
          .where('kid', '=', currentKid)
          .execute();
      }
      await tx.db
        .insertInto('ring_keys')
        .values({
          kid: next.kid,
          ring,
          private_key: next.privateKeySealed,
          created_at: next.createdAt,
          retired_at: next.retiredAt,
        })
        .execute();
      await recordAct(tx, KEYS, {
        organizationId: null,
        act: 'keys.rotate',
        target: next.kid,
        details: { ring },
      });
      return true;
    },
  ),

  destroy: write(async (tx, { ring, kids }: RingKids): Promise<void> => {
    await tx.db
      .deleteFrom('ring_keys')
      .where('ring', '=', ring)
      .where('kid', 'in', [...kids])
      .where('retired_at', 'is not', null)
      .execute();
  }),

  /**
   * Retires encryption keys of all organizations that are too old, and destroys those retired too
   * long ago. A new key is created when one is next requested. Returns how many were retired.
   */
  expireEncryption: write(async (tx, times: ExpiryTimes): Promise<number> => {
    await tx.db
      .deleteFrom('ring_keys')
      .where(IS_ENCRYPTION_RING)
      .where('retired_at', '<=', times.destroyRetiredBefore)
      .execute();
    const retired = await tx.db
      .updateTable('ring_keys')
      .set({ retired_at: times.now })
      .where(IS_ENCRYPTION_RING)
      .where('retired_at', 'is', null)
      .where('created_at', '<=', times.retireMadeBefore)
      .returning('ring')
      .execute();
    for (const { ring } of retired) {
      await recordAct(tx, KEYS, { organizationId: null, act: 'keys.retire', target: ring });
    }
    return retired.length;
  }),
};
