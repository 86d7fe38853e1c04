import { isEndState, type JobReadResponse } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { may } from '../../api/may.ts';
import { useResource } from '../../api/use-resource.ts';
import { Button, Link } from '../../components/button.tsx';
import { Empty, Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { Page, Section } from '../../components/page.tsx';
import { useInstitutions } from '../shared/institutions.ts';
import { CancelJobs } from './cancel-jobs.tsx';
import { FilterBar } from './filter-bar.tsx';
import { filtersInAddress, hasFilters, type JobFilters, listKey, queryOf } from './job-filters.ts';
import { JobTable } from './job-table.tsx';
import { jobsTexts } from './jobs-texts.ts';

const PAGE_SIZE = 50;
/** A longer list is read again only when the person asks. */
const MAX_LIVE_PAGES = 2;
const REFRESH_MS = 3_000;

export function Jobs() {
  const filters = filtersInAddress();
  const key = listKey(filters);
  return (
    <Page title={jobsTexts().title}>
      <FilterBar filters={filters} />
      <JobList key={key} listKey={key} filters={filters} />
    </Page>
  );
}

interface ListProps {
  readonly listKey: string;
  readonly filters: JobFilters;
}

function JobList({ listKey: key, filters }: ListProps) {
  const words = jobsTexts();
  const pages = useSignal(1);
  const selected = useSignal<ReadonlySet<string>>(new Set());
  const isAsking = useSignal(false);
  const outcome = useSignal<string | null>(null);
  const institutions = useInstitutions();
  const isLive = pages.value <= MAX_LIVE_PAGES;
  const jobs = useResource(key, (signal) => readPages(filters, pages.value, signal), {
    everyMs: isLive ? REFRESH_MS : undefined,
    version: pages.value,
  });
  const chosen = (jobs.data?.items ?? []).filter(
    ({ job_id: id, status }) => selected.value.has(id) && !isEndState(status),
  );
  return (
    <Section
      title={words.caption}
      actions={<CancelChosen count={chosen.length} onClick={() => (isAsking.value = true)} />}
    >
      {outcome.value === null ? null : <p role="status">{outcome.value}</p>}
      <Loaded of={jobs}>
        {({ items, cursor }) => (
          <>
            {items.length === 0 ? (
              <NoJobs filters={filters} hasMore={cursor !== null} />
            ) : (
              <JobTable
                jobs={items}
                institutions={institutions.data?.items}
                selected={may('cancelJob') ? selected : null}
              />
            )}
            <More
              isThere={cursor !== null}
              isLoading={jobs.isLoading}
              onMore={() => (pages.value += 1)}
            />
            {isAsking.value ? (
              <CancelJobs
                jobs={chosen}
                institutions={institutions.data?.items}
                onClose={() => (isAsking.value = false)}
                onDone={(done, failed) => {
                  outcome.value = words.canceled(done, failed);
                  selected.value = new Set();
                  jobs.reload();
                }}
              />
            ) : null}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function CancelChosen({
  count,
  onClick,
}: {
  readonly count: number;
  readonly onClick: () => void;
}) {
  if (count === 0) return null;
  return (
    <Button look="danger" onClick={onClick}>
      {jobsTexts().cancelSelected(count)}
    </Button>
  );
}

function NoJobs({ filters, hasMore }: { readonly filters: JobFilters; readonly hasMore: boolean }) {
  const words = jobsTexts();
  if (hasMore) return <Empty title={words.goesOn} />;
  if (hasFilters(filters)) return <Empty title={words.empty} />;
  return (
    <Empty title={words.emptyAll}>
      <Link to="catalog">{words.tryIt}</Link>
    </Empty>
  );
}

async function readPages(filters: JobFilters, pages: number, signal: AbortSignal) {
  const items: JobReadResponse[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < pages && (page === 0 || cursor !== null); page += 1) {
    const answer: Awaited<ReturnType<typeof readPage>> = await readPage(filters, cursor, signal);
    items.push(...answer.items);
    cursor = answer.next_cursor;
  }
  return { items, cursor };
}

function readPage(filters: JobFilters, cursor: string | null, signal: AbortSignal) {
  const query = { ...queryOf(filters), limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) };
  return call('listJobs', { query, signal });
}
