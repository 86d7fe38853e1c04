import { type JobState, LIMITS } from '@changgu/contract';
import type { JobListResponse } from '@changgu/contract/schemas';
import type { Store } from '../store/database.ts';
import type { JobAccess } from './job-access.ts';
import { jobView } from './job-view.ts';
import { decodeCursor, encodeCursor } from './list-cursor.ts';

export interface JobListQuery {
  readonly status?: readonly JobState[];
  readonly provider?: string;
  readonly account_link_id?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/**
 * GET /v1/jobs, newest first (D15).
 * @throws ServiceError 400 for a cursor of another query
 */
export async function listJobs(
  store: Pick<Store, 'jobs'>,
  access: JobAccess,
  query: JobListQuery,
): Promise<JobListResponse> {
  const limit = query.limit ?? LIMITS.page.default;
  const filters = {
    statuses: [...new Set(query.status ?? [])].toSorted(),
    provider: query.provider ?? null,
    accountLinkId: query.account_link_id ?? null,
  };
  const boundTo = [access, filters];
  const jobs = await store.jobs.list({
    access,
    ...filters,
    beforeSeq: query.cursor === undefined ? null : decodeCursor(query.cursor, boundTo),
    limit: limit + 1,
  });
  const page = jobs.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(jobView),
    next_cursor: jobs.length > limit && last ? encodeCursor(last.seq, boundTo) : null,
  };
}
