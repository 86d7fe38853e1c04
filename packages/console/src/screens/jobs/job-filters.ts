import { type EventRecord, JOB_STATES, type JobState, type OperationMap } from '@changgu/contract';
import { environment } from '../../app/preferences.ts';
import { navigate, place, type Query } from '../../app/router.ts';

/** The filters of the list. They are in the address, so that a view can be saved and shared. */
export interface JobFilters {
  readonly status: JobState | '';
  readonly provider: string;
  readonly action: string;
  readonly link: string;
  readonly q: string;
  /** Days in Korea, `2026-11-22`; the last one is included. */
  readonly from: string;
  readonly until: string;
}

export const MAX_TEXT = 100;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function filtersInAddress(query = place.value.query): JobFilters {
  const status = query.get('status') ?? '';
  const day = (name: string) => {
    const value = query.get(name) ?? '';
    return DAY.test(value) ? value : '';
  };
  return {
    status: JOB_STATES.find((state) => state === status) ?? '',
    provider: query.get('provider') ?? '',
    action: query.get('action') ?? '',
    link: query.get('link') ?? '',
    q: (query.get('q') ?? '').slice(0, MAX_TEXT),
    from: day('from'),
    until: day('until'),
  };
}

export function setFilters(filters: JobFilters): void {
  const query: Query = { ...filters };
  navigate('jobs', query, { replace: true });
}

export function hasFilters(filters: JobFilters): boolean {
  return Object.values(filters).some((value) => value !== '');
}

/** The filters that decide which jobs are shown. */
export function listKey(filters: JobFilters): string {
  return JSON.stringify([environment.value, filters]);
}

/** Whether an event can change the list. A state filter also loses jobs, so it is ignored here. */
export function concerns({ provider, action, link }: JobFilters, { subject, data }: EventRecord) {
  const of = 'action' in data ? data.action : '';
  return (
    (action === '' || of === action) &&
    (provider === '' || of.startsWith(`${provider}.`)) &&
    (link === '' || subject.account_link_id === link)
  );
}

export function queryOf(filters: JobFilters): NonNullable<OperationMap['listJobs']['query']> {
  const { status, provider, action, link, q, from, until } = filters;
  return {
    ...(status === '' ? {} : { status: [status] }),
    ...(provider === '' ? {} : { provider }),
    ...(action === '' ? {} : { action }),
    ...(link === '' ? {} : { account_link_id: link }),
    ...(q.trim() === '' ? {} : { q: q.trim() }),
    ...(from === '' ? {} : { submitted_from: `${from}T00:00:00+09:00` }),
    ...(until === '' ? {} : { submitted_before: dayAfter(until) }),
  };
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00+09:00`) + 86_400_000).toISOString();
}
