import type { AllAccountsRun } from '@changgu/contract';
import { call } from '../../api/call.ts';
import { actionNameOf, useInstitutions } from '../../api/institution-list.ts';
import { useLive } from '../../api/use-live.ts';
import { useResource } from '../../api/use-resource.ts';
import { count, dateTime } from '../../app/format.ts';
import { environment } from '../../app/preferences.ts';
import { place } from '../../app/router.ts';
import { Link } from '../../components/button.tsx';
import { LiveBadge } from '../../components/live-badge.tsx';
import { Empty, Loaded } from '../../components/loaded.tsx';
import { Page, Section } from '../../components/page.tsx';
import { StateBand } from '../../components/state-band.tsx';
import { Table } from '../../components/table.tsx';
import { endedOf } from './ended-of.ts';
import { RunGrid } from './run-grid.tsx';
import { runsTexts } from './runs-texts.ts';

/** All-accounts calls. `?key=` names one, because keys may contain any character and cannot be part of the path. */
export function Runs() {
  const key = place.value.query.get('key');
  return key === null ? <RunList /> : <RunGrid key={key} runKey={key} />;
}

const PAGE_SIZE = 20;

function RunList() {
  const words = runsTexts();
  const cursor = place.value.query.get('cursor');
  const runs = useResource(`${environment.value} ${cursor}`, (signal) =>
    call('listAllAccountsRuns', {
      query: { limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) },
      signal,
    }),
  );
  const live = useLive({
    filter: { type: ['job.queued', 'job.finished'], env_scope: environment.value },
    gapMs: 2_000,
    refresh: runs.refresh,
  });
  return (
    <Page title={words.title} about={words.about} actions={<LiveBadge state={live} />}>
      <Section title={words.caption}>
        <Loaded of={runs}>
          {({ items, next_cursor: next }) => (
            <>
              {items.length === 0 && next === null ? (
                <Empty title={words.empty}>
                  <p>{words.emptyAdvice}</p>
                </Empty>
              ) : (
                <RunTable runs={items} />
              )}
              <div class="pager">
                {cursor === null ? null : (
                  <Link to="runs" class="button plain">
                    {words.newest}
                  </Link>
                )}
                {next === null ? null : (
                  <Link to="runs" query={{ cursor: next }} class="button plain">
                    {words.more}
                  </Link>
                )}
              </div>
            </>
          )}
        </Loaded>
      </Section>
    </Page>
  );
}

function RunTable({ runs }: { readonly runs: readonly AllAccountsRun[] }) {
  const words = runsTexts();
  const institutions = useInstitutions().data?.items;
  return (
    <Table
      caption={words.caption}
      rows={runs}
      keyOf={({ idempotency_key: key }) => key}
      columns={[
        {
          title: words.action,
          isHeading: true,
          cell: ({ action, idempotency_key: key }) => (
            <Link to="runs" query={{ key }}>
              {actionNameOf(institutions, action)}
            </Link>
          ),
        },
        {
          title: words.progress,
          cell: ({ counts, account_count: all }) => {
            return (
              <div class="stack">
                <StateBand counts={counts} />
                <span class="faint">{words.done(count(endedOf(counts)), count(all))}</span>
              </div>
            );
          },
        },
        { title: words.key, cell: ({ idempotency_key: key }) => <code>{key}</code> },
        { title: words.submitted, numeric: true, cell: ({ submitted_at: at }) => dateTime(at) },
      ]}
    />
  );
}
