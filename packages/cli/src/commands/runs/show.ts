import { reads } from '../../command.ts';
import { readRun } from '../../journal/run-store.ts';
import { knownOutcome, OUTCOME } from '../all-accounts/outcome.ts';

/** The accounts of a run from its journal, without the network. */
export const show = reads<[asked: string]>(OUTCOME, async (cli, asked) => {
  const { accounts } = await readRun(cli.locations.runsDir, asked, cli.texts);
  await cli.output.list([...accounts.values()].map(knownOutcome), OUTCOME);
  return undefined;
});
