import { findScript } from '../scripts.ts';
import { toFailure } from '../transactions/failure.ts';
import { type MergedSignals, mergeInto } from '../transactions/merge-signals.ts';
import type { BatchOutcome, Signal, Transaction } from '../transactions/script.ts';
import { createTransaction } from '../transactions/transaction.ts';
import { SQLITE, SQLITE_CLOCK_TEXTS, type SqliteConnection } from './sqlite-connection.ts';
import type { ThreadAnswer, ThreadCall } from './sqlite-messages.ts';

class TransactionLostError extends Error {
  override readonly name = 'TransactionLostError';

  constructor(cause: unknown) {
    super('the transaction is lost', { cause });
  }
}

export function runScript(
  connection: SqliteConnection,
  call: ThreadCall,
  signals: Signal[],
): Promise<unknown> {
  return findScript(call).run(transactionOf(connection, signals), call.input);
}

/** What became of a call. @throws what lost the transaction, and with it the calls beside this one */
export async function answer(
  { id }: ThreadCall,
  run: () => Promise<unknown>,
): Promise<ThreadAnswer> {
  try {
    return { id, ok: true, value: await run() };
  } catch (error) {
    if (error instanceof TransactionLostError) throw error.cause;
    return { id, ok: false, failure: toFailure(error) };
  }
}

/** Runs calls of one script: together if there are several, and those that this does not settle each by itself. */
export async function runWrites(
  connection: SqliteConnection,
  calls: readonly ThreadCall[],
  signals: MergedSignals,
): Promise<ThreadAnswer[]> {
  const outcomes = calls.length > 1 ? await runTogether(connection, calls, signals) : [];
  const answers: ThreadAnswer[] = [];
  for (const [n, call] of calls.entries()) {
    answers.push(await answer(call, () => settle(connection, call, outcomes[n], signals)));
  }
  return answers;
}

async function settle(
  connection: SqliteConnection,
  call: ThreadCall,
  outcome: BatchOutcome<unknown> | undefined,
  signals: MergedSignals,
): Promise<unknown> {
  if (outcome?.kind === 'done') return outcome.value;
  if (outcome?.kind === 'failed') throw outcome.error;
  return inSavepoint(connection, signals, (own) => runScript(connection, call, own));
}

/** Nothing when one of them makes it fail: then none of them has happened. */
async function runTogether(
  connection: SqliteConnection,
  calls: readonly ThreadCall[],
  signals: MergedSignals,
): Promise<readonly BatchOutcome<unknown>[]> {
  const inputs = calls.map(({ input }) => input);
  const together = calls[0] && findScript(calls[0]).together;
  if (together === undefined) return [];
  try {
    return await inSavepoint(connection, signals, (own) =>
      together(transactionOf(connection, own), inputs),
    );
  } catch (error) {
    if (error instanceof TransactionLostError) throw error.cause;
    return [];
  }
}

function transactionOf(connection: SqliteConnection, signals: Signal[]): Transaction {
  return createTransaction(connection, SQLITE, SQLITE_CLOCK_TEXTS, signals);
}

async function inSavepoint<Value>(
  connection: SqliteConnection,
  signals: MergedSignals,
  run: (own: Signal[]) => Promise<Value>,
): Promise<Value> {
  const own: Signal[] = [];
  connection.control.savepoint.run();
  try {
    const value = await run(own);
    connection.control.release.run();
    mergeInto(signals, own);
    return value;
  } catch (error) {
    undo(connection, error);
    throw error;
  }
}

/** @throws TransactionLostError when the transaction's other calls are lost with this one */
function undo({ raw }: SqliteConnection, cause: unknown): void {
  // A full disk rolls the whole transaction back by itself.
  if (!raw.isTransaction) throw new TransactionLostError(cause);
  try {
    raw.exec('rollback to script; release script');
  } catch (failure) {
    throw new TransactionLostError(failure);
  }
}
