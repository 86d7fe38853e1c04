import type { Job, JobState } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { reads } from '../../command.ts';
import { checkLink } from '../../input/check-link.ts';
import { listFirst, pageSizeFor } from '../../output/list-first.ts';
import type { Reader } from '../../reader.ts';
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
  if (provider !== undefined) await checkProvider(cli, client, provider);
  if (link !== undefined) await checkLink(cli, client, link);
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

/**
 * Refuses a typo, whose empty list would look like an answer. An institution that has jobs is known, too: it may have
 * been removed from the service since.
 * @throws usage error
 */
async function checkProvider(cli: Cli, { jobs }: Reader, provider: string): Promise<void> {
  const { findInstitution, isBuiltIn } = await import('../../input/find-institution.ts');
  if (await isBuiltIn(provider)) return;
  const { items } = await jobs.list({ provider, limit: 1 }, cli.call);
  if (items.length === 0) await findInstitution(cli, provider);
}

/** Newest first, so the first one that is too old ends the list. */
async function* submittedSince(jobs: AsyncIterable<Job>, since: number): AsyncGenerator<Job> {
  for await (const job of jobs) {
    if (Date.parse(job.submittedAt) < since) return;
    yield job;
  }
}
