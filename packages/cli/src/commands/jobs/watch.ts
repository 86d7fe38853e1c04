import type { Job } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { reads } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { CHANGE } from './shapes.ts';
import { tellFailures, waitForAll } from './wait-for-all.ts';
import { jobOf, readAtOnce, unfinishedWait } from './waiting.ts';
import { WatchView } from './watch-view.ts';

/** So many are watched at once when none are named. */
const LIMIT = 50;

/**
 * Shows jobs until all have ended: a table that is repainted in place at a terminal, elsewhere a line for every change.
 * Without ids, the jobs that are open now.
 */
export const watch = reads<[ids: readonly string[]]>(CHANGE, async (cli, given) => {
  const client = await cli.client();
  const ids = given.length > 0 ? [...new Set(given)] : await openJobs(cli);
  const handles = ids.map((id) => jobOf(cli, client, id));
  const view = new WatchView(cli, ids, await cli.liveTable());
  const { ended, failure, ...others } = await waitForAll(cli, handles, {
    signal: view.signal,
    async waitFor(job, options) {
      let isShown = false;
      const show = (reading: Job) => {
        isShown = true;
        view.show(reading);
      };
      // One that the wait overtook is out of date.
      const showFirst = (reading: Job) => {
        if (!isShown) show(reading);
      };
      if (options.signal) readAtOnce(job, showFirst, options.signal);
      return job.wait({ ...options, onProgress: show });
    },
  });
  await view.end();
  if (ids.length === 0) await sayNoneOpen(cli);
  const failed = await tellFailures(cli, ended);
  if (failure) throw unfinishedWait(cli, others, failure);
  return failed ? EXIT.jobEnded : EXIT.ok;
});

async function sayNoneOpen(cli: Cli): Promise<void> {
  const { envScope } = await cli.settings();
  await cli.notes.next(cli.texts.jobs.noneOpen(envScope.value), ['changgu jobs submit <action>']);
}

async function openJobs(cli: Cli): Promise<readonly string[]> {
  const client = await cli.client();
  const { items, nextCursor } = await client.jobs.list(
    { status: ['QUEUED', 'RUNNING'], limit: LIMIT },
    cli.call,
  );
  if (nextCursor !== null) {
    const all = 'changgu jobs list --status QUEUED RUNNING --all';
    await cli.notes.next(cli.texts.output.more(LIMIT), [all]);
  }
  return items.map(({ jobId }) => jobId);
}
