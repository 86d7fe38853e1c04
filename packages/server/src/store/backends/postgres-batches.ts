import type { BatchOutcome } from '../transactions/script.ts';

/** Limits of one transaction: number of calls, and length of their text. */
const MAX_CALLS = 32;
const MAX_TEXT = 1_048_576;
/** One commits while the next is being decided; more would only wait for the same locks. */
const MAX_IN_FLIGHT = 2;
/** Fewer than this rather wait for the transaction before them, for each of them costs less together. */
const MIN_BESIDE = MAX_CALLS / 2;
/** But no longer than this, in milliseconds: that transaction may wait for a lock. */
const MAX_HELD_MS = 5;

interface BatchRunner {
  /** One transaction. @throws BatchRefusedError when it did nothing and each of its calls may run alone */
  together(inputs: readonly unknown[]): Promise<readonly BatchOutcome<unknown>[]>;
  alone(input: unknown): Promise<unknown>;
}

/** The batch was rolled back because of a lock or a value of one of its calls. */
export class BatchRefusedError extends Error {
  override readonly name = 'BatchRefusedError';
}

interface WaitingCall extends Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'> {
  readonly input: unknown;
}

/** Lets concurrent calls of one script share a transaction; they are answered after its COMMIT. */
export function createBatches(runner: BatchRunner): (input: unknown) => Promise<unknown> {
  let waiting: WaitingCall[] = [];
  let inFlight = 0;
  let planned = false;
  let held: NodeJS.Timeout | undefined;

  /** Starts in the next turn of the event loop, so that requests of this one go together. */
  function plan(): void {
    if (planned || waiting.length === 0 || inFlight === MAX_IN_FLIGHT) return;
    if (inFlight > 0 && waiting.length < MIN_BESIDE) {
      held ??= setTimeout(start, MAX_HELD_MS);
      return;
    }
    planned = true;
    setImmediate(start);
  }

  function start(): void {
    clearTimeout(held);
    held = undefined;
    planned = false;
    if (waiting.length === 0 || inFlight === MAX_IN_FLIGHT) return;
    inFlight += 1;
    void runBatch(take()).finally(() => {
      inFlight -= 1;
      plan();
    });
    plan();
  }

  function take(): WaitingCall[] {
    let text = 0;
    const full = waiting.findIndex(({ input }, n) => {
      text += textOf(input);
      return n === MAX_CALLS || (n > 0 && text > MAX_TEXT);
    });
    return waiting.splice(0, full === -1 ? waiting.length : full);
  }

  async function runBatch(batch: readonly WaitingCall[]): Promise<void> {
    try {
      const outcomes = await runner.together(batch.map(({ input }) => input));
      const again = batch.filter((call, n) => !settle(call, outcomes[n]));
      waiting = [...again, ...waiting];
    } catch (error) {
      for (const call of batch) {
        if (error instanceof BatchRefusedError) call.resolve(runner.alone(call.input));
        else call.reject(error);
      }
    }
  }

  return (input) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    waiting.push({ input, resolve, reject });
    plan();
    return promise;
  };
}

/** Whether the call has its answer. */
function settle(call: WaitingCall, outcome: BatchOutcome<unknown> | undefined): boolean {
  if (outcome?.kind === 'done') call.resolve(outcome.value);
  if (outcome?.kind === 'failed') call.reject(outcome.error);
  return outcome !== undefined && outcome.kind !== 'again';
}

/** The length of all texts and bytes in an input. */
function textOf(input: unknown): number {
  if (typeof input === 'string' || input instanceof Uint8Array) return input.length;
  if (typeof input !== 'object' || input === null) return 0;
  return Object.values(input).reduce<number>((sum, value) => sum + textOf(value), 0);
}
