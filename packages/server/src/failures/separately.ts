import { faultOf } from './fault.ts';

interface PartFailure {
  readonly part: string;
  readonly error: unknown;
}

/** What failed of work whose parts do not depend on each other. */
export class PartsFailed extends AggregateError {
  override readonly name = 'PartsFailed';
  readonly failures: readonly PartFailure[];

  constructor(failures: readonly PartFailure[]) {
    const errors = failures.map(({ error }) => error);
    super(errors, `failed: ${failures.map(({ part }) => part).join(', ')}`, { cause: errors[0] });
    this.failures = failures;
  }
}

/** Does one part; undefined when it failed. */
export type DoPart = <T>(part: string, work: () => Promise<T>) => Promise<T | undefined>;

/**
 * Work in parts: one that fails keeps no other from its turn.
 * @throws PartsFailed afterwards, with all that failed
 */
export async function separately(work: (doPart: DoPart) => Promise<void>): Promise<void> {
  const failures: PartFailure[] = [];
  await work(async (part, one) => {
    try {
      return await one();
    } catch (error) {
      failures.push(...(error instanceof PartsFailed ? error.failures : [{ part, error }]));
      return undefined;
    }
  });
  if (failures.length > 0) throw new PartsFailed(failures);
}

/** Repeats what is true while there may be more to do. When stopped, it leaves the rest to whoever comes next. */
export async function untilDone(round: () => Promise<boolean>, stop?: AbortSignal): Promise<void> {
  while (!stop?.aborted && (await round()));
}

/** The store is unavailable to each of a thousand jobs alike. */
const MAX_LOGGED = 20;

interface ErrorLog {
  error(about: object, message: string): void;
}

/** One line for each part that failed, or for the work as a whole. */
export function logFailures(log: ErrorLog, error: unknown, message: string): void {
  if (error instanceof PartsFailed) {
    for (const { part, error: cause } of error.failures.slice(0, MAX_LOGGED)) {
      log.error({ part, fault: faultOf(cause) }, message);
    }
  } else log.error({ fault: faultOf(error) }, message);
}
