const lastTurns = new WeakMap<object, Map<string, Promise<unknown>>>();

/** Runs what has the same key one after another, in the order of the calls: all that this process does on a store. */
export async function takeTurns<Result>(
  store: object,
  key: string,
  act: () => Promise<Result>,
): Promise<Result> {
  const last = lastTurns.get(store) ?? new Map<string, Promise<unknown>>();
  lastTurns.set(store, last);
  const turn = (last.get(key) ?? Promise.resolve()).then(act, act);
  last.set(key, turn);
  try {
    return await turn;
  } finally {
    if (last.get(key) === turn) last.delete(key);
  }
}
