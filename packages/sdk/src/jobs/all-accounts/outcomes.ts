import type { ChangguError } from '../../errors/changgu-error.ts';
import { AllAccountsInterruptedError, AllAccountsTimeoutError } from '../../errors/job-errors.ts';
import type { JobHandle } from '../handle.ts';
import type { JobResult } from '../job.ts';
import { type AllAccountsCheckpoint, withCheckpoint } from './checkpoint.ts';
import type { AccountStep, AllAccountsStep, AllAccountsStepsOptions, EndStep } from './steps.ts';

interface AccountFacts<A extends string> {
  accountLinkId: string;
  bankAccountCredentialId: string;
  maskedAccountNo: string;
  job: JobHandle<A>;
}

/** One account whose job has ended. A failure is data and stops no other account. */
export type AccountOutcome<A extends string = string> =
  | (AccountFacts<A> & { ok: true; result: JobResult<A> })
  | (AccountFacts<A> & { ok: false; error: ChangguError });

export type AllAccountsOptions = Omit<AllAccountsStepsOptions, 'graceMs' | 'whenFull' | 'results'>;

/** The accounts of a call, each as soon as its job has ended. */
export interface AccountOutcomes<A extends string = string>
  extends AsyncGenerator<AccountOutcome<A>, void, void> {
  /** The current state of the call, without what the loop has already processed. */
  readonly checkpoint: AllAccountsCheckpoint;
}

/**
 * The accounts among the steps of a call.
 * @throws AllAccountsInterruptedError, AllAccountsTimeoutError, or a refused round's error, after the accounts that were
 *   submitted; and what the steps throw
 */
export async function* outcomesOf<A extends string>(
  steps: AsyncGenerator<AllAccountsStep<A>, void, void>,
  timeoutMs: number | undefined,
): AsyncGenerator<AccountOutcome<A>, void, void> {
  for await (const step of steps) {
    if (step.type === 'account') {
      const { error, result } = step;
      if (error) yield { ...factsOf(step), ok: false, error };
      else if (result) yield { ...factsOf(step), ok: true, result };
    }
    if (step.type !== 'end') continue;
    const error = errorOfEnd(step, timeoutMs);
    if (error) throw withCheckpoint(error, step.checkpoint);
  }
}

function factsOf<A extends string>(step: AccountStep<A>): AccountFacts<A> {
  const { accountLinkId, bankAccountCredentialId, maskedAccountNo, job } = step;
  return { accountLinkId, bankAccountCredentialId, maskedAccountNo, job };
}

/** Null when nothing is left to do. */
function errorOfEnd(
  { stop, error, interruption, checkpoint }: EndStep,
  timeoutMs = 0,
): ChangguError | null {
  if (error) return error;
  if (interruption) return new AllAccountsInterruptedError(interruption, checkpoint);
  return stop === 'deadline' ? new AllAccountsTimeoutError(timeoutMs, checkpoint) : null;
}
