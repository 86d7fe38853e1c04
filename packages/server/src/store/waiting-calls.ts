import type { Pool } from '../rules/claiming/pool.ts';
import { findScript, type ScriptName } from './scripts.ts';
import { type MergedSignals, readySignal } from './transactions/merge-signals.ts';

interface Call extends ScriptName {
  readonly id: number;
  readonly input: unknown;
}

interface Answer {
  readonly ok: boolean;
  readonly value?: unknown;
}

interface WaitingCall<A> {
  readonly call: Call;
  readonly pool: Pool;
  /** What it found: nothing. */
  readonly answer: A;
  readonly since: number;
}

/** Calls that found no ready job, and wait in the thread for the commit that makes one ready. */
export interface WaitingCalls<A> {
  /** Those that find something now, in the transaction with these signals. They wait no more. */
  due(signals: MergedSignals): Call[];
  /** Has calls that found nothing wait if they want to. Returns the other answers. */
  hold(calls: readonly Call[], answers: readonly A[]): A[];
  /** What those of a pool up to this id have found. They wait no more, nor will those of them that are yet to run. */
  recall(pool: Pool, upTo: number): A[];
  /** What all have found. */
  close(): A[];
}

export function createWaitingCalls<A extends Answer>(): WaitingCalls<A> {
  const waiting = new Set<WaitingCall<A>>();
  const recalled: Record<Pool, number> = { real: 0, sandbox: 0 };

  function take(isMeant: (each: WaitingCall<A>) => boolean): WaitingCall<A>[] {
    const taken = [...waiting].filter(isMeant);
    for (const each of taken) waiting.delete(each);
    return taken;
  }

  return {
    due(signals) {
      if (waiting.size === 0) return [];
      return take(({ pool }) => readySignal(signals, pool) !== undefined).map((each) => {
        const seq = readySignal(signals, each.pool)?.seq ?? 0;
        const waitedMs = performance.now() - each.since;
        const again = findScript(each.call).waits?.again;
        return { ...each.call, input: again?.(each.call.input, { seq, waitedMs }) };
      });
    },
    hold(calls, answers) {
      return answers.filter((answer, n) => {
        const call = calls[n];
        const waits = call && findScript(call).waits;
        const pool = answer.ok ? waits?.waitsFor(call?.input, answer.value) : null;
        if (!call || !pool || call.id <= recalled[pool]) return true;
        waiting.add({ call, pool, answer, since: performance.now() });
        return false;
      });
    },
    recall(pool, upTo) {
      recalled[pool] = upTo;
      return take((each) => each.pool === pool && each.call.id <= upTo).map(({ answer }) => answer);
    },
    close: () => take(() => true).map(({ answer }) => answer),
  };
}
