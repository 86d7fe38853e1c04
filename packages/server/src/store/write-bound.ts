import { findScript, type ScriptGroups, type ScriptName } from './scripts.ts';
import { storeUnavailable } from './transactions/failure.ts';

/** Writes of one process that wait for their answer: more would only wait longer than callers do. */
const MAX_QUEUED_WRITES = 2_000;

/** What the engine writes is about jobs that were accepted already, and never turned away. */
const ALWAYS_ADMITTED = new Set<string>(['engine', 'breakers'] satisfies (keyof ScriptGroups)[]);

type Call = (input: unknown) => Promise<unknown>;

/**
 * Turns writes away while too many wait, so that a slow database costs its callers a 503 at once
 * instead of a time-out each, and the process no memory.
 */
export function createWriteBound(most = MAX_QUEUED_WRITES): (name: ScriptName, call: Call) => Call {
  let queued = 0;
  return (name, call) => {
    if (findScript(name).kind === 'read' || ALWAYS_ADMITTED.has(name.group)) return call;
    return async (input) => {
      if (queued >= most) throw storeUnavailable(new Error(`${queued} writes wait already`));
      queued += 1;
      try {
        return await call(input);
      } finally {
        queued -= 1;
      }
    };
  };
}
