import { BATCH_ROWS } from '../transactions/batch.ts';
import { read, write } from '../transactions/script.ts';
import { isAlive } from './live-grants.ts';

export interface OAuthArtifact {
  readonly kind: string;
  readonly idHash: string;
  readonly uidHash: string | null;
  readonly userCodeHash: string | null;
  readonly grantId: string | null;
  readonly payload: Uint8Array;
  readonly expiresAt: number;
}

interface ArtifactName {
  readonly kind: string;
  readonly idHash: string;
}

/** By id, or by one of its other names. */
export type ArtifactSearch =
  | ArtifactName
  | { readonly kind: string; readonly uidHash: string }
  | { readonly kind: string; readonly userCodeHash: string };

export interface FoundArtifact {
  readonly idHash: string;
  readonly payload: Uint8Array;
  /** Real time in milliseconds. */
  readonly consumedAt: number | null;
}

/** The authorization server's only table for everything that expires. */
export const oauthArtifactScripts = {
  save: write(async (tx, input: OAuthArtifact): Promise<void> => {
    const changed = {
      uid_hash: input.uidHash,
      user_code_hash: input.userCodeHash,
      grant_id: input.grantId,
      payload: input.payload,
      expires_at: input.expiresAt,
    };
    await tx.db
      .insertInto('oauth_artifacts')
      .values({ kind: input.kind, id_hash: input.idHash, ...changed })
      .onConflict((conflict) => conflict.columns(['kind', 'id_hash']).doUpdateSet(changed))
      .execute();
  }),

  /** Null when it does not exist or its approval no longer holds. Also returns what has just expired. */
  find: read(async (tx, search: ArtifactSearch): Promise<FoundArtifact | null> => {
    const row = await tx.db
      .selectFrom('oauth_artifacts')
      .select(['id_hash', 'grant_id', 'payload', 'consumed_at'])
      .where('kind', '=', search.kind)
      .where((eb) => {
        if ('idHash' in search) return eb('id_hash', '=', search.idHash);
        if ('uidHash' in search) return eb('uid_hash', '=', search.uidHash);
        return eb('user_code_hash', '=', search.userCodeHash);
      })
      .executeTakeFirst();
    if (row === undefined) return null;
    if (row.grant_id !== null && !(await isAlive(tx, row.grant_id))) return null;
    return { idHash: row.id_hash, payload: row.payload, consumedAt: row.consumed_at };
  }),

  /** False when another caller has consumed it or it is gone: of two concurrent callers one wins. */
  consume: write(async (tx, { kind, idHash }: ArtifactName): Promise<boolean> => {
    const { numUpdatedRows } = await tx.db
      .updateTable('oauth_artifacts')
      .set({ consumed_at: await tx.realNow() })
      .where('kind', '=', kind)
      .where('id_hash', '=', idHash)
      .where('consumed_at', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }),

  remove: write(async (tx, { kind, idHash }: ArtifactName): Promise<void> => {
    await tx.db
      .deleteFrom('oauth_artifacts')
      .where('kind', '=', kind)
      .where('id_hash', '=', idHash)
      .execute();
  }),

  /** Deletes expired ones. True while there may be more. */
  purge: write(async (tx): Promise<boolean> => {
    const now = await tx.realNow();
    const due = await tx.db
      .selectFrom('oauth_artifacts')
      .select(['kind', 'id_hash'])
      .where('expires_at', '<=', now)
      .orderBy('expires_at')
      .limit(BATCH_ROWS)
      .execute();
    for (const { kind, id_hash } of due) {
      await tx.db
        .deleteFrom('oauth_artifacts')
        .where('kind', '=', kind)
        .where('id_hash', '=', id_hash)
        .where('expires_at', '<=', now)
        .execute();
    }
    return due.length === BATCH_ROWS;
  }),
};
