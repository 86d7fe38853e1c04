import {
  type AllAccountsLineListResponse,
  type AllAccountsRun,
  isEndState,
  JOB_STATES,
} from '@changgu/contract';
import { call } from '../../api/call.ts';
import { JOB_EVENT_TYPES } from '../../api/job-event-types.ts';
import { useLive } from '../../api/use-live.ts';
import { useResource } from '../../api/use-resource.ts';
import { count } from '../../app/format.ts';
import { environment } from '../../app/preferences.ts';
import { Link } from '../../components/button.tsx';
import { LiveBadge } from '../../components/live-badge.tsx';
import { Empty, Loaded } from '../../components/loaded.tsx';
import { Page, Section } from '../../components/page.tsx';
import { StateBand } from '../../components/state-band.tsx';
import { JOB_STATE_NAMES, JOB_STATE_TONES } from '../../components/state-names.tsx';
import { endedOf } from './ended-of.ts';
import { runsTexts } from './runs-texts.ts';

type Line = AllAccountsLineListResponse['items'][number];

interface Lines {
  readonly lines: readonly Line[];
  /** There are accounts after these. */
  readonly hasMore: boolean;
  /** The whole call, which is counted where not all of it is shown; null when it is not among the newest. */
  readonly whole: AllAccountsRun | null;
}

/** Accounts after these are only counted. */
const MAX_PAGES = 4;
const NEWEST = 100;

/** One call as a grid of its accounts: what is done, running and failed, at a glance. */
export function RunGrid({ runKey }: { readonly runKey: string }) {
  const words = runsTexts();
  const run = useResource(`${environment.value} ${runKey}`, (signal) => readLines(runKey, signal));
  const { lines, hasMore = true, whole } = run.data ?? {};
  // Those that are not shown may still wait.
  const isEnded = whole
    ? endedOf(whole.counts) === whole.account_count
    : !hasMore && lines?.every(({ status }) => isEndState(status)) === true;
  const live = useLive({
    filter: isEnded ? null : { type: JOB_EVENT_TYPES, env_scope: environment.value },
    // Where not all are shown, the jobs of the others are not known, and their ends are counted.
    matters: ({ subject }) =>
      hasMore || lines?.some(({ job_id: id }) => id === subject.job_id) !== false,
    refresh: run.refresh,
  });
  return (
    <Page
      title={words.title}
      about={runKey}
      actions={
        <>
          {isEnded ? null : <LiveBadge state={live} />}
          <Link to="runs">{words.back}</Link>
        </>
      }
    >
      <Section title={words.grid}>
        <Loaded of={run}>
          {(shown) =>
            shown.lines.length === 0 ? <Empty title={words.nothing} /> : <Grid of={shown} />
          }
        </Loaded>
      </Section>
    </Page>
  );
}

function Grid({ of: { lines, hasMore, whole } }: { readonly of: Lines }) {
  const words = runsTexts();
  const counted = JOB_STATES.map(
    (state) => [state, lines.filter(({ status }) => status === state).length] as const,
  );
  // Every state is a key of it.
  const counts = whole?.counts ?? (Object.fromEntries(counted) as AllAccountsRun['counts']);
  const [done, shown] = [count(endedOf(counts)), count(lines.length)];
  return (
    <div class="stack">
      <StateBand counts={counts} />
      <p class="faint">
        {whole
          ? words.doneOfAll(done, count(whole.account_count), shown)
          : (hasMore ? words.doneOfFirst : words.done)(done, shown)}
      </p>
      <ul class="grid" aria-label={words.grid}>
        {lines.map((line) => (
          <Cell key={line.job_id} line={line} />
        ))}
      </ul>
    </div>
  );
}

function Cell({ line }: { readonly line: Line }) {
  const { job_id: id, masked_account_no: number, status, progress, error_code: code } = line;
  return (
    <li class={JOB_STATE_TONES[status]}>
      <Link to={`jobs/${id}`}>
        <span class="numeric">{number ?? runsTexts().removed}</span>
        <span class="faint">
          {JOB_STATE_NAMES()[status]}
          {isEndState(status) ? '' : ` ${progress} %`}
        </span>
        {code === null ? null : <code>{code}</code>}
        <span class="fill" style={{ width: `${isEndState(status) ? 100 : progress}%` }} />
      </Link>
    </li>
  );
}

async function readLines(key: string, signal: AbortSignal): Promise<Lines> {
  const lines: Line[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { idempotency_key: key, ...(cursor === null ? {} : { cursor }) };
    const answer: AllAccountsLineListResponse = await call('listAllAccountsLines', {
      query,
      signal,
    });
    lines.push(...answer.items);
    cursor = answer.next_cursor;
    if (cursor === null) break;
  }
  const hasMore = cursor !== null;
  return { lines, hasMore, whole: hasMore ? await findRun(key, signal) : null };
}

async function findRun(key: string, signal: AbortSignal): Promise<AllAccountsRun | null> {
  const { items } = await call('listAllAccountsRuns', { query: { limit: NEWEST }, signal });
  return items.find(({ idempotency_key: each }) => each === key) ?? null;
}
