import { type JobState, LIMITS, searchForm } from '@changgu/contract';
import type { CatalogueInstitution } from '@changgu/contract/catalogue';
import type { JobListResponse } from '@changgu/contract/schemas';
import { decodeCursor, encodeCursor } from '../requests/list-cursor.ts';
import { idOrNone } from '../rules/identity/account-id.ts';
import type { JobAccess } from '../rules/jobs/job-access.ts';
import type { Store } from '../store/database.ts';
import { jobView } from './job-view.ts';

export interface JobListQuery {
  readonly status?: readonly JobState[];
  readonly provider?: string;
  readonly action?: string;
  readonly account_link_id?: string;
  readonly submitted_from?: string;
  readonly submitted_before?: string;
  readonly idempotency_key?: string;
  readonly q?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/** How many jobs a filtered page examines, so that a rare match is not searched for through all of them. */
const LOOKED_AT = 10_000;

interface ListOptions {
  /** The languages in which names are searched. */
  readonly institutions?: readonly CatalogueInstitution[];
  readonly lookedAt?: number;
}

/**
 * GET /v1/jobs, newest first. With filters, a page can be short or even empty and still have a next one.
 * @throws ServiceError 400 for a cursor of another query
 */
export async function listJobs(
  store: Pick<Store, 'jobs'>,
  access: JobAccess,
  query: JobListQuery,
  { institutions = [], lookedAt = LOOKED_AT }: ListOptions = {},
): Promise<JobListResponse> {
  const limit = query.limit ?? LIMITS.page.default;
  const filters = {
    statuses: [...new Set(query.status ?? [])].toSorted(),
    provider: query.provider ?? null,
    action: query.action ?? null,
    submittedFrom: timeOf(query.submitted_from),
    submittedBefore: timeOf(query.submitted_before),
    accountLinkId: query.account_link_id === undefined ? null : idOrNone(query.account_link_id),
    idempotencyKey: query.idempotency_key ?? null,
    text: query.q === undefined ? null : textOf(query.q, institutions),
  };
  const boundTo = [access, filters];
  const beforeSeq = query.cursor === undefined ? null : decodeCursor(query.cursor, boundTo);
  const { statuses, idempotencyKey, ...others } = filters;
  // A key has few jobs, and an index finds them.
  const filtered =
    idempotencyKey === null &&
    (statuses.length > 0 ||
      (access.actions ?? null) !== null ||
      Object.values(others).some((wanted) => wanted !== null));
  const fromSeq = filtered
    ? await store.jobs.seqAfter({
        access: { ...access, actions: null },
        beforeSeq,
        count: lookedAt,
      })
    : null;
  const found = await store.jobs.list({ access, ...filters, beforeSeq, fromSeq, limit: limit + 1 });
  const page = found.slice(0, limit);
  const goesOnAfter = found.length > limit ? (page.at(-1)?.seq ?? null) : fromSeq;
  return {
    items: page.map(jobView),
    next_cursor: goesOnAfter === null ? null : encodeCursor(goesOnAfter, boundTo),
  };
}

/** People know an action by its name; the rows contain its id. */
function textOf(wanted: string, institutions: readonly CatalogueInstitution[]) {
  const part = searchForm(wanted);
  const actions = institutions.flatMap(({ title, actions: offered }) =>
    offered
      .filter((action) =>
        [title.ko, title.en, action.title.ko, action.title.en].some((name) =>
          searchForm(name).includes(part),
        ),
      )
      .map(({ id }) => id),
  );
  return { part, actions };
}

function timeOf(iso: string | undefined): number | null {
  return iso === undefined ? null : Date.parse(iso);
}
