import type { Job } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { JOB } from './shapes.ts';

export interface ListOptions {
  readonly status?:
    | ('QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMEOUT' | 'CANCELED')[]
    | undefined;
  readonly provider?: string | undefined;
  readonly link?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
  readonly limit: number;
  readonly all?: true | undefined;
}

const MAX_PAGE_SIZE = 100;

export async function list(cli: Cli, options: ListOptions): Promise<undefined> {
  const { status, provider, link, all } = options;
  const limit = all ? Number.POSITIVE_INFINITY : options.limit;
  const client = await cli.client();
  const jobs = client.jobs.each(
    {
      ...(status ? { status } : {}),
      ...(provider === undefined ? {} : { provider }),
      ...(link === undefined ? {} : { accountLinkId: link }),
      limit: Math.min(limit, MAX_PAGE_SIZE),
    },
    cli.call,
  );
  await cli.output.list(until(jobs, limit, options.since), JOB);
}

/** Newest first, so the first that is too old ends the list. */
async function* until(jobs: AsyncIterable<Job>, limit: number, since = 0): AsyncGenerator<Job> {
  let left = limit;
  for await (const job of jobs) {
    if (Date.parse(job.submittedAt) < since) return;
    yield job;
    left -= 1;
    if (left <= 0) return;
  }
}
