/** A lookup that takes longer is no longer waited for: its connection may have gone silent. */
const PATIENCE_MS = 100;

interface Running<Found> {
  readonly startedAt: number;
  readonly ended: Promise<void>;
  /** Starts when the current lookup has ended, for all callers that arrived since it began. */
  next: Promise<Found> | undefined;
}

/**
 * Shares one answer among callers that look up the same thing at the same time. A lookup always begins after the
 * request, so no answer is older than it: what was revoked before a request arrived is refused.
 */
export function shareLookups<Key, Found>(
  lookUp: (key: Key) => Promise<Found>,
): (key: Key) => Promise<Found> {
  const running = new Map<Key, Running<Found>>();

  function start(key: Key): Promise<Found> {
    const found = lookUp(key);
    const end = () => {
      if (running.get(key) === own) running.delete(key);
    };
    const own: Running<Found> = {
      startedAt: performance.now(),
      ended: found.then(end, end),
      next: undefined,
    };
    running.set(key, own);
    return found;
  }

  return (key) => {
    const before = running.get(key);
    if (!before || performance.now() - before.startedAt > PATIENCE_MS) return start(key);
    before.next ??= before.ended.then(() => start(key));
    return before.next;
  };
}
