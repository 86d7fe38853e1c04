import type { Pool } from '../../rules/claiming/pool.ts';
import type { ScriptName } from '../scripts.ts';
import type { Signal } from '../transactions/script.ts';

export type SignalListener = (signal: Signal) => void;

/** The database behind the store: runs scripts by name and reports what was committed. */
export interface Backend {
  readonly call: (name: ScriptName, input: unknown) => Promise<unknown>;
  /** This process's signals arrive at once, others' within 50 ms. Returns how to unsubscribe. */
  readonly onSignal: (listener: SignalListener) => () => void;
  /** Has claims that wait for jobs of the pool answered now. */
  readonly recallClaims: (pool: Pool) => void;
  /** Called once when the database can never answer this process again. */
  readonly onFatal: (listener: (error: Error) => void) => void;
  /** Returns what a thread of its own no longer uses to the system. */
  readonly collectGarbage: () => void;
  /** Lets calls in progress end, then closes. */
  readonly close: () => Promise<void>;
}

/** The listeners of one backend. */
export function createSignalHub() {
  const listeners = new Set<SignalListener>();
  return {
    onSignal: (listener: SignalListener): (() => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    deliver: (signals: readonly Signal[]): void => {
      for (const signal of signals) for (const listener of listeners) listener(signal);
    },
  };
}
