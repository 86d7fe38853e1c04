import type { Cli } from '../../cli.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import type { AccountState } from '../../journal/run-state.ts';

/** The number of accounts of a run in each state. */
export function countAccounts(accounts: ReadonlyMap<string, AccountState>) {
  const all = [...accounts.values()];
  const succeeded = all.filter(({ ended }) => ended?.status === 'SUCCEEDED').length;
  const open = all.filter(({ ended }) => ended === null).length;
  return { accounts: all.length, succeeded, failed: all.length - succeeded - open, open };
}

/** Reports how a run ended. */
export async function summarize(
  cli: Cli,
  run: string,
  accounts: ReadonlyMap<string, AccountState>,
): Promise<ExitCode> {
  const { notes, texts } = cli;
  const { succeeded, failed, open } = countAccounts(accounts);
  await notes.info(texts.bulk.summary(succeeded, failed, open));
  if (failed === 0) return EXIT.ok;
  await notes.next(texts.bulk.retryWith, [`changgu all-accounts resume ${run} --retry-failed`]);
  return EXIT.someFailed;
}
