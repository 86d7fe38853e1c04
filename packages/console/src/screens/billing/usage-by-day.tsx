import type { JobSummaryResponse } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { actionNameOf, useInstitutions } from '../../api/institution-list.ts';
import { useResource } from '../../api/use-resource.ts';
import { count, day, koreanMidnight } from '../../app/format.ts';
import { environment } from '../../app/preferences.ts';
import { Empty, Loaded, Loading } from '../../components/loaded.tsx';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { billingTexts } from './billing-texts.ts';
import { type DayChartProps, seriesOf, usageRows } from './usage-rows.ts';

const DAYS = 30;

/** Tokens by day and action: a picture, and the same as a table. */
export function UsageByDay() {
  const words = billingTexts();
  const summary = useResource(environment.value, (signal) =>
    call('summarizeJobs', { query: { submitted_from: koreanMidnight(DAYS - 1) }, signal }),
  );
  return (
    <Section title={words.usage}>
      <p class="faint">{words.usageAbout}</p>
      <Loaded of={summary}>
        {({ items, complete }) =>
          items.length === 0 ? (
            <Empty title={words.noUsage} />
          ) : (
            <div class="stack">
              {complete ? null : <p class="notice">{words.usagePart}</p>}
              <Usage items={items} />
            </div>
          )
        }
      </Loaded>
    </Section>
  );
}

function Usage({ items }: { readonly items: JobSummaryResponse['items'] }) {
  const words = billingTexts();
  const institutions = useInstitutions().data?.items;
  const nameOfAction = (action: string | null) =>
    action === null ? words.others : actionNameOf(institutions, action);
  const days = Array.from({ length: DAYS }, (_, index) =>
    koreanMidnight(DAYS - 1 - index).slice(0, 10),
  );
  const series = seriesOf(items, days).map(({ action, tokens }) => ({
    name: nameOfAction(action),
    tokens,
  }));
  return (
    <>
      <Chart days={days} series={series} />
      <Table
        caption={words.usage}
        rows={usageRows(items)}
        keyOf={({ day, action }) => `${day} ${action}`}
        columns={[
          { title: words.day, isHeading: true, cell: (row) => day(row.day) },
          { title: words.action, cell: ({ action }) => nameOfAction(action) },
          { title: words.jobs, numeric: true, cell: ({ jobs }) => count(jobs) },
          { title: words.tokens, numeric: true, cell: ({ tokens }) => count(tokens) },
        ]}
      />
    </>
  );
}

/** Loaded here only, because the chart library is large. */
function Chart(props: DayChartProps) {
  const loaded = useSignal<ComponentType<DayChartProps> | 'missing' | null>(null);
  useEffect(() => {
    // Without the chart there is still the table.
    import('./day-chart.tsx').then(
      ({ DayChart }) => {
        loaded.value = DayChart;
      },
      () => {
        loaded.value = 'missing';
      },
    );
  }, []);
  const DayChart = loaded.value;
  if (DayChart === 'missing') return null;
  return DayChart === null ? <Loading /> : <DayChart {...props} />;
}
