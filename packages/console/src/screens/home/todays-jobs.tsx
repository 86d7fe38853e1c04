import { JOB_STATES, type JobReadResponse } from '@changgu/contract';
import { call } from '../../api/call.ts';
import { useLive } from '../../api/use-live.ts';
import { useResource } from '../../api/use-resource.ts';
import { clock, count, koreanMidnight } from '../../app/format.ts';
import { environment } from '../../app/preferences.ts';
import { BarChart } from '../../components/bar-chart.tsx';
import { Link } from '../../components/button.tsx';
import { LiveBadge } from '../../components/live-badge.tsx';
import { Empty, Loaded } from '../../components/loaded.tsx';
import { Section } from '../../components/page.tsx';
import { JOB_STATE_NAMES, JOB_STATE_TONES, JobStateBadge } from '../../components/state-names.tsx';
import { actionNameOf, useInstitutions } from '../shared/institutions.ts';
import { homeTexts } from './home-texts.ts';

/** Pages that a count reads: enough for a day's picture without reading a night of batches. */
const MAX_PAGES = 5;
const PAGE_SIZE = 100;
const SHOWN_FAILURES = 5;
/** Progress does not change the picture. */
const STATE_EVENTS = ['job.queued', 'job.started', 'job.finished'] as const;

export function TodaysJobs() {
  const jobs = useResource(environment.value, readToday);
  const live = useLive({
    filter: { type: STATE_EVENTS, env_scope: environment.value },
    gapMs: 5_000,
    refresh: jobs.refresh,
  });
  const words = homeTexts();
  return (
    <Section
      title={words.today}
      actions={
        <>
          <LiveBadge state={live} />
          <Link to="jobs">{words.openJobs}</Link>
        </>
      }
    >
      <Loaded of={jobs}>
        {({ items, isWhole }) =>
          items.length === 0 ? (
            <Empty title={words.todayEmpty} />
          ) : (
            <div class="stack">
              <BarChart
                caption={words.today}
                bars={JOB_STATES.map((state) => ({
                  label: JOB_STATE_NAMES()[state],
                  value: items.filter(({ status }) => status === state).length,
                  tone: JOB_STATE_TONES[state],
                }))}
              />
              {isWhole ? null : <p class="faint">{words.atLeast(count(items.length))}</p>}
              <h3>{words.failed}</h3>
              <Failures jobs={items} />
            </div>
          )
        }
      </Loaded>
    </Section>
  );
}

function Failures({ jobs }: { readonly jobs: readonly JobReadResponse[] }) {
  const institutions = useInstitutions();
  const failed = jobs
    .filter(({ status }) => status === 'FAILED' || status === 'TIMEOUT')
    .slice(0, SHOWN_FAILURES);
  if (failed.length === 0) return <p class="faint">{homeTexts().noFailures}</p>;
  return (
    <ul class="stack">
      {failed.map(({ job_id: id, status, action, submitted_at: at, error }) => (
        <li key={id} class="row">
          <JobStateBadge state={status} />
          <Link to={`jobs/${id}`}>{actionNameOf(institutions.data?.items, action)}</Link>
          <span class="faint numeric">{clock(at)}</span>
          <code>{error?.code}</code>
        </li>
      ))}
    </ul>
  );
}

async function readToday(signal: AbortSignal) {
  const items: JobReadResponse[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { items: more, next_cursor }: Awaited<ReturnType<typeof readPage>> = await readPage(
      cursor,
      signal,
    );
    items.push(...more);
    cursor = next_cursor;
    if (cursor === null) break;
  }
  return { items, isWhole: cursor === null };
}

function readPage(cursor: string | null, signal: AbortSignal) {
  return call('listJobs', {
    query: {
      limit: PAGE_SIZE,
      submitted_from: koreanMidnight(),
      ...(cursor === null ? {} : { cursor }),
    },
    signal,
  });
}
