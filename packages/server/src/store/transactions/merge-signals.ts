import type { Pool } from '../../rules/claiming/pool.ts';
import type { Signal } from './script.ts';

/** Pending signals, each thing once. */
export type MergedSignals = Map<string, Signal>;

/** Adds signals; of two about the same thing, the one about older jobs stays. */
export function mergeInto(merged: MergedSignals, signals: readonly Signal[]): void {
  for (const signal of signals) {
    const key = signalKey(signal);
    merged.set(key, oldest(signal, merged.get(key)));
  }
}

/** The one about jobs of a pool that may be claimed, if there are any. */
export function readySignal(merged: MergedSignals, pool: Pool) {
  const signal = merged.get(`ready ${pool}`);
  return signal?.kind === 'ready' ? signal : undefined;
}

/** What a signal is about. */
export function signalKey(signal: Signal): string {
  switch (signal.kind) {
    case 'ready':
      return `ready ${signal.pool}`;
    case 'event':
    case 'webhook':
      return `${signal.kind} ${signal.organizationId}`;
    case 'changed':
      return signal.kind;
    default:
      return `${signal.kind} ${signal.jobId}`;
  }
}

function oldest(signal: Signal, other: Signal | undefined): Signal {
  if (signal.kind !== 'ready' || other?.kind !== 'ready') return signal;
  return (other.seq ?? 0) < (signal.seq ?? 0) ? other : signal;
}
