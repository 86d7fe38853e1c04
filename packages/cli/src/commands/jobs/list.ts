import type { Job, JobState } from '@changgu/sdk';
import { reads } from '../../command.ts';
import { checkFilter } from '../../input/find-institution.ts';
import { listFirst, pageSizeFor } from '../../output/list-first.ts';
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

export const list = reads<[options: ListOptions]>(JOB, async (cli, options) => {
  const { status, provider, link, idempotencyKey, all, since = 0 } = options;
  const limit = all ? Number.POSITIVE_INFINITY : options.limit;
  const client = await cli.client();
  await checkFilter(cli, provider, async (removed) => {
    const { items } = await client.jobs.list({ provider: removed, limit: 1 }, cli.call);
    return items.length > 0;
  });
  const jobs = client.jobs.each(
    {
      ...(status ? { status } : {}),
      ...(provider === undefined ? {} : { provider }),
      ...(link === undefined ? {} : { accountLinkId: link }),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      limit: pageSizeFor(limit),
    },
    cli.call,
  );
  return listFirst(cli, submittedSince(jobs, since), JOB, { limit, all: true });
});

/** Newest first, so the first one that is too old ends the list. */
async function* submittedSince(jobs: AsyncIterable<Job>, since: number): AsyncGenerator<Job> {
  for await (const job of jobs) {
    if (Date.parse(job.submittedAt) < since) return;
    yield job;
  }
}
