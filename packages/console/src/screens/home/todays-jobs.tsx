import { JOB_STATES, type JobReadResponse, type JobState } from '@changgu/contract';
import { call } from '../../api/call.ts';
import { actionNameOf, useInstitutions } from '../../api/institution-list.ts';
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
import { FirstSteps } from '../jobs/first-steps.tsx';
import { homeTexts } from './home-texts.ts';

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
        {({ counts, all, isWhole, failed, isFirst }) =>
          isFirst ? (
            <FirstSteps />
          ) : all === 0 ? (
            <Empty title={words.todayEmpty} />
          ) : (
            <div class="stack">
              <BarChart
                caption={words.today}
                bars={counts.map(([state, jobs]) => ({
                  label: JOB_STATE_NAMES()[state],
                  value: jobs,
                  tone: JOB_STATE_TONES[state],
                }))}
              />
              {isWhole ? null : <p class="faint">{words.atLeast(count(all))}</p>}
              <h3>{words.failed}</h3>
              <Failures failed={failed} />
            </div>
          )
        }
      </Loaded>
    </Section>
  );
}

function Failures({ failed }: { readonly failed: readonly JobReadResponse[] }) {
  const institutions = useInstitutions();
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
  const since = { submitted_from: koreanMidnight() };
  const [summary, failed] = await Promise.all([
    call('summarizeJobs', { query: since, signal }),
    call('listJobs', {
      query: { ...since, status: ['FAILED', 'TIMEOUT'], limit: SHOWN_FAILURES },
      signal,
    }),
  ]);
  const inState = (state: JobState) =>
    summary.items.filter(({ status }) => status === state).reduce((sum, { jobs }) => sum + jobs, 0);
  const counts = JOB_STATES.map((state) => [state, inState(state)] as const);
  const all = counts.reduce((sum, [, jobs]) => sum + jobs, 0);
  return {
    counts,
    all,
    isFirst: all === 0 && !(await hasJobs(signal)),
    isWhole: summary.complete,
    failed: failed.items,
  };
}

/** Ever, in the chosen environment. */
async function hasJobs(signal: AbortSignal): Promise<boolean> {
  const { items, next_cursor: next } = await call('listJobs', { query: { limit: 1 }, signal });
  return items.length > 0 || next !== null;
}
