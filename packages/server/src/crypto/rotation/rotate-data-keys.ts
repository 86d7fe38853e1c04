import { SealError } from '../sealed-box.ts';
import type { ChunkOfFile, SealedPlace, Vault } from '../vault.ts';

/** Values replaced per transaction. */
const BATCH = 20;

/** A sealed value and where it is stored. */
export interface SealedRow {
  /** How the store finds it again. */
  readonly key: readonly (string | number)[];
  readonly scope: string;
  readonly place: SealedPlace;
  readonly chunk?: ChunkOfFile;
  readonly sealed: Uint8Array;
}

export interface SealedRowStore {
  readonly page: (from: {
    /** The number of the kind of value; null after the last. */
    readonly kind: number;
    readonly after: readonly (string | number)[] | null;
    readonly limit: number;
  }) => Promise<{ readonly name: string; readonly rows: readonly SealedRow[] } | null>;
  /** Skips values changed since they were read. */
  readonly replace: (input: {
    readonly kind: number;
    readonly changes: readonly {
      readonly key: readonly (string | number)[];
      readonly from: Uint8Array;
      readonly to: Uint8Array;
    }[];
  }) => Promise<void>;
}

export interface RotationStore {
  /** Begins a rotation of all data keys unless one is in progress; returns the id of the current one. */
  readonly begin: (id: string) => Promise<string>;
  /** An organization whose key this rotation has not replaced yet, and its key. */
  readonly nextDue: (
    id: string,
  ) => Promise<{ readonly scope: string; readonly wrapped: Uint8Array } | null>;
  /** Does nothing if another process was first. */
  readonly replaceKey: (change: {
    readonly id: string;
    readonly scope: string;
    readonly from: Uint8Array;
    readonly to: Uint8Array;
  }) => Promise<void>;
  /** Destroys the previous keys; false when another process has done it. */
  readonly finish: (id: string) => Promise<boolean>;
}

export interface RotationProgress {
  readonly phase: 'keys' | 'rows' | 'waiting' | 'late_rows' | 'done';
  readonly values?: string;
  readonly resealed: number;
  /** Values that no key can decrypt; they are left unchanged. */
  readonly unreadable: number;
}

export interface RotationDependencies {
  readonly rotation: RotationStore;
  readonly sealedRows: SealedRowStore;
  readonly vault: Pick<Vault, 'newDataKey' | 'sealAgain' | 'forgetOrganizationKey'>;
  readonly newId: () => string;
  readonly tell: (progress: RotationProgress) => void;
  /** Called when the new keys exist; its promise resolves when every process uses them. */
  readonly others: () => () => Promise<void>;
}

/**
 * Gives every organization a new data key, re-encrypts all values with it and destroys the old keys. It can be
 * killed and restarted at any point, and run in several processes: each continues where the others stopped.
 */
export async function rotateDataKeys(dependencies: RotationDependencies): Promise<void> {
  const { rotation, vault, tell, others } = dependencies;
  const counts = { resealed: 0, unreadable: 0 };
  const id = await rotation.begin(dependencies.newId());
  tell({ phase: 'keys', ...counts });
  for (;;) {
    const due = await rotation.nextDue(id);
    if (due === null) break;
    const to = await vault.newDataKey(due.scope);
    await rotation.replaceKey({ id, scope: due.scope, from: due.wrapped, to });
    vault.forgetOrganizationKey(due.scope);
  }
  const othersFollow = others();
  await sealAll(dependencies, counts, 'rows');
  tell({ phase: 'waiting', ...counts });
  await othersFollow();
  await sealAll(dependencies, counts, 'late_rows');
  await rotation.finish(id);
  tell({ phase: 'done', ...counts });
}

type Counts = { resealed: number; unreadable: number };

async function sealAll(
  { sealedRows, vault, tell }: RotationDependencies,
  counts: Counts,
  phase: 'rows' | 'late_rows',
): Promise<void> {
  for (let kind = 0; ; kind += 1) {
    let after: SealedRow['key'] | null = null;
    for (;;) {
      const page = await sealedRows.page({ kind, after, limit: BATCH });
      if (page === null) return;
      const changes = await sealPage(vault, page.rows, counts);
      if (changes.length > 0) await sealedRows.replace({ kind, changes });
      after = page.rows.at(-1)?.key ?? null;
      if (page.rows.length < BATCH) {
        tell({ phase, values: page.name, ...counts });
        break;
      }
    }
  }
}

async function sealPage(
  vault: Pick<Vault, 'sealAgain'>,
  rows: readonly SealedRow[],
  counts: Counts,
) {
  const changes: { key: SealedRow['key']; from: Uint8Array; to: Uint8Array }[] = [];
  for (const { key, scope, place, chunk, sealed } of rows) {
    try {
      const to = await vault.sealAgain(scope, place, sealed, chunk);
      if (to !== null) changes.push({ key, from: sealed, to });
    } catch (error) {
      // The organization was deleted in the meantime, or the value was already damaged.
      if (!(error instanceof SealError)) throw error;
      counts.unreadable += 1;
    }
  }
  counts.resealed += changes.length;
  return changes;
}
