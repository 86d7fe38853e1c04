import type { Job, JobState } from '@changgu/sdk';
import { reads } from '../../command.ts';
import { JOB } from './shapes.ts';

export interface ListOptions {
  readonly status?: JobState[] | undefined;
  readonly provider?: string | undefined;
  readonly link?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
  readonly limit: number;
  readonly all?: true | undefined;
}

const MAX_PAGE_SIZE = 100;

export const list = reads<[options: ListOptions]>(JOB, async (cli, options) => {
  const { status, provider, link, idempotencyKey, all, since } = options;
  const limit = all ? Number.POSITIVE_INFINITY : options.limit;
  const client = await cli.client();
  const jobs = client.jobs.each(
    {
      ...(status ? { status } : {}),
      ...(provider === undefined ? {} : { provider }),
      ...(link === undefined ? {} : { accountLinkId: link }),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      // One more than is shown says whether there are more.
      limit: Math.min(limit + 1, MAX_PAGE_SIZE),
    },
    cli.call,
  );
  const more = { seen: false };
  await cli.output.list(until(jobs, limit, since, more), JOB);
  if (more.seen) await cli.notes.info(cli.texts.output.more(limit, '--limit, --all'));
  return undefined;
});

/** Newest first, so the first that is too old ends the list. */
async function* until(
  jobs: AsyncIterable<Job>,
  limit: number,
  since = 0,
  more: { seen: boolean },
): AsyncGenerator<Job> {
  let left = limit;
  for await (const job of jobs) {
    if (Date.parse(job.submittedAt) < since) return;
    if (left === 0) {
      more.seen = true;
      return;
    }
    yield job;
    left -= 1;
  }
}
