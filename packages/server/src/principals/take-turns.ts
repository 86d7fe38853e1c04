const lastTurns = new Map<string, Promise<unknown>>();

/** Runs what has the same key one after another, in the order of the calls; all of this process. */
export async function takeTurns<Result>(key: string, act: () => Promise<Result>): Promise<Result> {
  const turn = (lastTurns.get(key) ?? Promise.resolve()).then(act, act);
  lastTurns.set(key, turn);
  try {
    return await turn;
  } finally {
    if (lastTurns.get(key) === turn) lastTurns.delete(key);
  }
}
