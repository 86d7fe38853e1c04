import type { ScriptName } from '../scripts.ts';
import type { Signal } from '../transactions/script.ts';

export type SignalListener = (signal: Signal) => void;

/** A database behind the store: runs scripts by name and tells what was committed. */
export interface Backend {
  readonly dialect: 'sqlite' | 'postgres';
  readonly call: (name: ScriptName, input: unknown) => Promise<unknown>;
  /** Signals of this process at once, of others a few milliseconds later. Answers how to stop. */
  readonly onSignal: (listener: SignalListener) => () => void;
  /** Called once when the database can never answer again in this process. */
  readonly onFatal: (listener: (error: Error) => void) => void;
  /** Lets calls under way end, then closes. */
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
