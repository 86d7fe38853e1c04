import { JOB_STATES, type JobState, LIMITS } from '@changgu/contract';
import type {
  AllAccountsLineListResponse,
  AllAccountsRun,
  AllAccountsRunListResponse,
  JobRequestResponse,
  JobSummaryResponse,
} from '@changgu/contract/schemas';
import { decodeCursor, encodeCursor } from '../requests/list-cursor.ts';
import { DAY_MS } from '../rules/durations.ts';
import type { JobAccess } from '../rules/jobs/job-access.ts';
import { jobErrorOf } from '../rules/jobs/job-error.ts';
import { kstTime } from '../rules/kst.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import type { RunRow } from '../store/queue/job-overviews.ts';

type Jobs = Pick<Store, 'jobs'>;

/** A cursor of runs is a time and the number of runs shown at that time, because several can share a millisecond. */
const PER_MS = 100;

/** GET /v1/jobs/{job_id}/request. @throws ServiceError JOB_NOT_FOUND */
export async function readJobRequest(
  { jobs }: Jobs,
  access: JobAccess,
  jobId: string,
): Promise<JobRequestResponse> {
  const row = await jobs.submitted({ access, jobId });
  if (row === null) throw new ServiceError('JOB_NOT_FOUND');
  return {
    job_id: jobId,
    provider: row.provider,
    action: row.action,
    account_link_id: row.accountLinkId,
    idempotency_key: row.idempotencyKey,
    // Written only by the submission, as JSON of an object.
    params: JSON.parse(row.params) as Record<string, unknown>,
  };
}

/** GET /v1/jobs/summary. */
export async function summarizeJobs(
  { jobs }: Jobs,
  access: JobAccess,
  query: { readonly submitted_from?: string; readonly submitted_before?: string },
  most: number = LIMITS.summarizedJobs,
): Promise<JobSummaryResponse> {
  const { submitted_from: from, submitted_before: before } = query;
  const fromSeq = await jobs.seqAfter({
    access: { ...access, actions: null },
    beforeSeq: null,
    count: most,
  });
  const rows = await jobs.summary({
    access,
    from: from === undefined ? 0 : Date.parse(from),
    before: before === undefined ? null : Date.parse(before),
    fromSeq,
  });
  return {
    env_scope: access.envScope,
    items: rows
      .toSorted((a, b) => b.day - a.day || a.action.localeCompare(b.action))
      .map(({ day, action, status, jobs: count, tokens }) => ({
        day: new Date(day * DAY_MS).toISOString().slice(0, 10),
        action,
        status,
        jobs: count,
        usage_tokens: tokens,
      })),
    complete: fromSeq === null,
  };
}

interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

/** GET /v1/jobs/all-accounts, newest first. */
export async function listRuns(
  { jobs }: Jobs,
  access: JobAccess,
  { limit = LIMITS.page.default, cursor }: PageQuery,
): Promise<AllAccountsRunListResponse> {
  const boundTo = [access, 'runs'];
  const position = cursor === undefined ? null : decodeCursor(cursor, boundTo);
  const upTo =
    position === null ? null : { at: Math.floor(position / PER_MS), skip: position % PER_MS };
  const { keys, rows } = await jobs.runs({ access, upTo, limit: limit + 1 });
  const page = keys.slice(0, limit);
  const last = page.at(-1);
  const goesOn = keys.length > limit && last !== undefined;
  const shown = page.filter(({ at }) => at === last?.at).length;
  const before = upTo?.at === last?.at ? (upTo?.skip ?? 0) : 0;
  return {
    items: page.flatMap(({ key, at }) => {
      const own = rows.filter((row) => row.key === key);
      return own[0] === undefined ? [] : [runOf(own[0], at, own)];
    }),
    next_cursor: goesOn
      ? encodeCursor(last.at * PER_MS + Math.min(before + shown, PER_MS - 1), boundTo)
      : null,
  };
}

function runOf(
  { key, provider, action }: RunRow,
  at: number,
  rows: readonly RunRow[],
): AllAccountsRun {
  const inState = (state: JobState) =>
    rows.filter(({ status }) => status === state).reduce((sum, { jobs }) => sum + jobs, 0);
  // The object has a key for every state.
  const counts = Object.fromEntries(
    JOB_STATES.map((state) => [state, inState(state)]),
  ) as AllAccountsRun['counts'];
  return {
    idempotency_key: key,
    provider,
    action,
    submitted_at: kstTime(at),
    account_count: rows.reduce((sum, { jobs }) => sum + jobs, 0),
    counts,
  };
}

/** GET /v1/jobs/all-accounts/lines. */
export async function listLines(
  { jobs }: Jobs,
  access: JobAccess,
  query: PageQuery & { readonly idempotency_key: string },
): Promise<AllAccountsLineListResponse> {
  const { idempotency_key: key, limit = LIMITS.linesPerPage, cursor } = query;
  const boundTo = [access, key];
  const afterSeq = cursor === undefined ? 0 : decodeCursor(cursor, boundTo);
  const found = await jobs.lines({ access, key, afterSeq, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map((line) => ({
      job_id: line.jobId,
      account_link_id: line.accountLinkId,
      bank_account_credential_id: line.accountId,
      masked_account_no: line.maskedAccountNo,
      status: line.status,
      progress: line.progress,
      error_code: jobErrorOf(line.error)?.code ?? null,
    })),
    next_cursor: found.length > limit && last ? encodeCursor(last.seq, boundTo) : null,
  };
}
