import type { ThreadCall } from './sqlite-messages.ts';

export interface Outbox {
  add(call: ThreadCall): void;
  /** One of the calls was answered. */
  answered(): void;
  /** Sends what is left at once, for the last time. */
  close(): void;
}

/**
 * Puts the calls of one turn of the event loop into one message. With `oneAtATime` a message waits for the answers
 * to the previous one: a message costs more than most reads, so under load they share it, as writes share a commit.
 */
export function createOutbox(
  send: (calls: readonly ThreadCall[]) => void,
  { oneAtATime }: { readonly oneAtATime: boolean },
): Outbox {
  let calls: ThreadCall[] = [];
  let unanswered = 0;
  let planned = false;

  function sendAll(): void {
    if (calls.length === 0) return;
    unanswered += calls.length;
    send(calls);
    calls = [];
  }

  function turn(): void {
    planned = false;
    if (!oneAtATime || unanswered === 0) sendAll();
  }

  function plan(): void {
    if (planned) return;
    planned = true;
    setImmediate(turn);
  }

  return {
    add(call) {
      calls.push(call);
      plan();
    },
    answered() {
      unanswered -= 1;
      if (calls.length > 0) plan();
    },
    close: sendAll,
  };
}
