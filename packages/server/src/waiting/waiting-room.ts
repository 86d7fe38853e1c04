import type { Store } from '../store/database.ts';
import type { Signal } from '../store/transactions/script.ts';

/** Another process's writes come in swarms and are mostly about something else. */
const CHANGED_PAUSE_MS = 100;

/** Who waits for what, and is told to look when a signal names it. */
export function createWaitingRoom<Key>(
  store: Pick<Store, 'onSignal'>,
  keyOf: (signal: Signal) => Key | null,
) {
  const waiting = new Map<Key, Set<() => void>>();
  let changedTimer: NodeJS.Timeout | undefined;

  function wake(key: Key): void {
    for (const look of waiting.get(key) ?? []) look();
  }

  function wakeAll(): void {
    changedTimer = undefined;
    for (const looks of waiting.values()) for (const look of looks) look();
  }

  const stop = store.onSignal((signal: Signal) => {
    const key = keyOf(signal);
    if (key !== null) wake(key);
    else if (signal.kind === 'changed' && waiting.size > 0) {
      changedTimer ??= setTimeout(wakeAll, CHANGED_PAUSE_MS);
    }
  });

  return {
    /** Answers how to leave. */
    enter(key: Key, look: () => void): () => void {
      const looks = waiting.get(key) ?? new Set();
      looks.add(look);
      waiting.set(key, looks);
      return () => {
        looks.delete(look);
        if (looks.size === 0) waiting.delete(key);
      };
    },
    close(): void {
      stop();
      clearTimeout(changedTimer);
    },
  };
}
