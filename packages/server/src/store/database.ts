import { resolve } from 'node:path';
import type { Backend, SignalListener } from './backends/backend.ts';
import { type ScriptGroups, scriptNames } from './scripts.ts';
import type { Callable } from './transactions/script.ts';
import { createWriteBound } from './write-bound.ts';

export interface StoreOptions {
  /** `sqlite:path` or `postgres://…`. */
  readonly url: string;
  /** Default true. With false, opening fails when a migration is pending. */
  readonly migrate?: boolean;
  /** This process's PostgreSQL connections for requests; five more serve the engine and signals. Default 16. */
  readonly poolSize?: number;
  /** The longest that PostgreSQL may take to answer, in milliseconds. Default 7,500: a quarter of the default lease. */
  readonly answerMs?: number;
  /**
   * The longest that PostgreSQL may wait for a lock, in milliseconds; a call tries once more after that. Default 2,000,
   * at most half of `answerMs`.
   */
  readonly maxLockMs?: number;
  /** Default false. With true SQLite runs in the thread of the caller: it opens sooner, but each commit holds up all else. */
  readonly inThisThread?: boolean | undefined;
  /** Called once the database has begun to open without this thread's help, which only SQLite does. */
  readonly onOpening?: (() => void) | undefined;
}

/** The database with all its transaction scripts: `store.jobs.submit(input)`. */
export type Store = {
  readonly [Group in keyof ScriptGroups]: Callable<ScriptGroups[Group]>;
} & {
  /** This process's signals after COMMIT, others' within 50 ms. Returns how to unsubscribe. */
  readonly onSignal: (listener: SignalListener) => () => void;
  /** Has claims that wait for jobs of a pool answered now. */
  readonly recallClaims: Backend['recallClaims'];
  /** Called once when the database can never answer this process again. */
  readonly onFatal: Backend['onFatal'];
  /** Business time. @throws ServiceError SERVICE_UNAVAILABLE when the database cannot be read */
  readonly ping: () => Promise<number>;
  /** @throws ServiceError SERVICE_UNAVAILABLE when nothing can be written, as on a full disk */
  readonly pingWrites: () => Promise<void>;
  /** Returns what a thread of its own no longer uses to the system. */
  readonly collectGarbage: () => void;
  readonly close: () => Promise<void>;
};

/**
 * Opens the database and updates its tables.
 * @throws MigrationError when database and program do not match
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const backend = await openBackend(options);
  const bounded = createWriteBound();
  const groups: Record<string, Record<string, (input: unknown) => Promise<unknown>>> = {};
  for (const name of scriptNames()) {
    groups[name.group] ??= {};
    const scripts = groups[name.group] ?? {};
    scripts[name.script] = bounded(name, (input) => backend.call(name, input));
  }
  // Built from the registry from which ScriptGroups is derived.
  const callable = groups as {
    readonly [Group in keyof ScriptGroups]: Callable<ScriptGroups[Group]>;
  };
  return {
    ...callable,
    onSignal: backend.onSignal,
    recallClaims: backend.recallClaims,
    onFatal: backend.onFatal,
    ping: callable.clock.now,
    async pingWrites() {
      await backend.call({ group: 'clock', script: 'touch' }, undefined);
    },
    collectGarbage: backend.collectGarbage,
    close: backend.close,
  };
}

async function openBackend(options: StoreOptions): Promise<Backend> {
  const { url, migrate = true, poolSize = 16, answerMs = 7_500, maxLockMs, onOpening } = options;
  if (url.startsWith('sqlite:')) {
    const { openSqlite, startInThisThread } = await import('./backends/sqlite.ts');
    const opening = openSqlite(
      { path: resolve(url.slice('sqlite:'.length)), migrate },
      options.inThisThread ? startInThisThread : undefined,
    );
    onOpening?.();
    return opening;
  }
  if (url.startsWith('postgres://') || url.startsWith('postgresql://')) {
    const { openPostgres } = await import('./backends/postgres.ts');
    // Its answers are heard by this thread and only for so long: `onOpening` is not for it.
    return openPostgres({ url, migrate, poolSize, answerMs, maxLockMs });
  }
  throw new TypeError('the database URL must begin with sqlite: or postgres://');
}
