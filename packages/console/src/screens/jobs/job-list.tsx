import { type InstitutionRecord, isEndState } from '@changgu/contract';
import { type Signal, useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { useInstitutions } from '../../api/institution-list.ts';
import { JOB_EVENT_TYPES } from '../../api/job-event-types.ts';
import { may } from '../../api/may.ts';
import { useLive } from '../../api/use-live.ts';
import { type Resource, useResource } from '../../api/use-resource.ts';
import { environment } from '../../app/preferences.ts';
import { place } from '../../app/router.ts';
import { Button } from '../../components/button.tsx';
import { LiveBadge } from '../../components/live-badge.tsx';
import { Empty, Loaded } from '../../components/loaded.tsx';
import { Section } from '../../components/page.tsx';
import { CancelJobs } from './cancel-jobs.tsx';
import { FirstSteps } from './first-steps.tsx';
import { concerns, hasFilters, type JobFilters, queryOf } from './job-filters.ts';
import { JobTable } from './job-table.tsx';
import { jobsTexts } from './jobs-texts.ts';
import { Pager } from './pager.tsx';

/** Only one page is in memory, however long the list is and however long it is followed. */
const PAGE_SIZE = 50;

type Jobs = Awaited<ReturnType<typeof readPage>>;

/** One page of the list, followed live. The address contains the page. */
export function JobList({ filters }: { readonly filters: JobFilters }) {
  const words = jobsTexts();
  const cursor = place.value.query.get('cursor');
  const selected = useSignal<ReadonlySet<string>>(new Set());
  const isPaused = useSignal(false);
  const institutions = useInstitutions().data?.items;
  const jobs = useResource(cursor ?? '', (signal) => readPage(filters, cursor, signal));
  const live = useLive({
    filter: { type: JOB_EVENT_TYPES, env_scope: environment.value },
    isPaused: isPaused.value,
    matters: (event) => concerns(filters, event),
    refresh: jobs.refresh,
  });
  return (
    <Section
      title={words.caption}
      actions={
        <>
          <LiveBadge state={live} />
          <Button look="quiet" onClick={() => (isPaused.value = !isPaused.value)}>
            {isPaused.value ? words.resume : words.pause}
          </Button>
          <CancelChosen jobs={jobs} selected={selected} institutions={institutions} />
        </>
      }
    >
      <Loaded of={jobs}>
        {({ items, next_cursor: next }) => (
          <>
            {items.length === 0 ? (
              <NoJobs filters={filters} hasMore={next !== null} />
            ) : (
              <JobTable
                jobs={items}
                institutions={institutions}
                selected={may('cancelJob') ? selected : null}
              />
            )}
            <Pager filters={filters} isFirst={cursor === null} next={next} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

interface CancelProps {
  readonly jobs: Resource<Jobs>;
  readonly selected: Signal<ReadonlySet<string>>;
  readonly institutions: readonly InstitutionRecord[] | undefined;
}

function CancelChosen({ jobs, selected, institutions }: CancelProps) {
  const words = jobsTexts();
  const isAsking = useSignal(false);
  const outcome = useSignal<string | null>(null);
  const chosen = (jobs.data?.items ?? []).filter(
    ({ job_id: id, status }) => selected.value.has(id) && !isEndState(status),
  );
  return (
    <>
      {outcome.value === null ? null : <p role="status">{outcome.value}</p>}
      {chosen.length === 0 ? null : (
        <Button look="danger" onClick={() => (isAsking.value = true)}>
          {words.cancelSelected(chosen.length)}
        </Button>
      )}
      {isAsking.value ? (
        <CancelJobs
          jobs={chosen}
          institutions={institutions}
          onClose={() => (isAsking.value = false)}
          onDone={(done, failed) => {
            outcome.value = words.canceled(done, failed);
            selected.value = new Set();
            jobs.reload();
          }}
        />
      ) : null}
    </>
  );
}

function NoJobs({ filters, hasMore }: { readonly filters: JobFilters; readonly hasMore: boolean }) {
  const words = jobsTexts();
  if (hasMore) return <Empty title={words.goesOn} />;
  if (hasFilters(filters)) return <Empty title={words.empty} />;
  return <FirstSteps />;
}

function readPage(filters: JobFilters, cursor: string | null, signal: AbortSignal) {
  const query = { ...queryOf(filters), limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) };
  return call('listJobs', { query, signal });
}
