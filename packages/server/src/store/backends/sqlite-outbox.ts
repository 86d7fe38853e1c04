import { findScript } from '../scripts.ts';
import type { ThreadCall } from './sqlite-messages.ts';

export interface Outbox {
  add(call: ThreadCall): void;
  /** The call with this id was answered. */
  answered(id: number): void;
  /** Sends what is left at once, for the last time. */
  close(): void;
}

/** Calls that leave before the end of their turn, so that the thread works on them while more are being read. */
const FULL_MESSAGE = 8;

/**
 * Puts the calls of one turn of the event loop into messages. An idle thread gets the first call at once. With
 * `oneAtATime` a message holds the calls of whole turns and waits for the answers to the previous one: a message costs
 * more than most reads, so under load they share it, as writes share a commit.
 */
export function createOutbox(
  send: (calls: readonly ThreadCall[]) => void,
  { oneAtATime }: { readonly oneAtATime: boolean },
): Outbox {
  let calls: ThreadCall[] = [];
  /** Without those that may wait for a ready job, since the thread is idle meanwhile. */
  const unanswered = new Set<number>();
  let planned = false;

  function sendAll(): void {
    if (calls.length === 0) return;
    for (const call of calls) {
      if (!findScript(call).waits) unanswered.add(call.id);
    }
    send(calls);
    calls = [];
  }

  function turn(): void {
    planned = false;
    if (!oneAtATime || unanswered.size === 0) sendAll();
  }

  function plan(): void {
    if (planned) return;
    planned = true;
    setImmediate(turn);
  }

  return {
    add(call) {
      calls.push(call);
      if (!oneAtATime && (unanswered.size === 0 || calls.length >= FULL_MESSAGE)) sendAll();
      else plan();
    },
    answered(id) {
      unanswered.delete(id);
      if (calls.length > 0) plan();
    },
    close: sendAll,
  };
}
