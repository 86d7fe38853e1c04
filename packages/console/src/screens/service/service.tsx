import type { ServiceStateResponse } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { useResource } from '../../api/use-resource.ts';
import { ENVIRONMENT_NAMES } from '../../app/common-texts.ts';
import { count, dateTime } from '../../app/format.ts';
import { language } from '../../app/preferences.ts';
import { Badge } from '../../components/badge.tsx';
import { CheckField } from '../../components/field.tsx';
import { Empty, Loaded } from '../../components/loaded.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { BreakerBadge, HealthBadge } from './institution-badges.tsx';
import { serviceTexts } from './service-texts.ts';
import { Simulators } from './simulators.tsx';
import { TestClock } from './test-clock.tsx';

const EVERY_MS = 5_000;

type Queue = ServiceStateResponse['institutions'][number];

/** Queued and running work, whether institutions answer and, in `dev`, how they behave. */
export function ServiceState() {
  const words = serviceTexts();
  const onlyBusy = useSignal(true);
  const state = useResource(language.value, (signal) => call('readServiceState', { signal }), {
    everyMs: EVERY_MS,
  });
  return (
    <Page
      title={words.title}
      actions={
        <CheckField
          label={words.onlyBusy}
          checked={onlyBusy.value}
          onChange={(checked) => (onlyBusy.value = checked)}
        />
      }
    >
      <Loaded of={state}>
        {({ institutions, complete, now, has_test_clock: hasClock, has_simulators: has }) => {
          const shown = institutions.filter((each) => !onlyBusy.value || isRemarkable(each));
          return (
            <>
              <Totals of={institutions} />
              <Section title={words.queues}>
                {complete ? null : <p class="notice">{words.incomplete}</p>}
                {shown.length === 0 ? <Empty title={words.quiet} /> : <QueueTable queues={shown} />}
              </Section>
              {hasClock ? <TestClock now={now} onAdvanced={state.reload} /> : null}
              {has ? <Simulators onChanged={state.reload} /> : null}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

/** Whether work is queued or running, or something is wrong. */
function isRemarkable({ queued, running, state, maintenance, breaker }: Queue): boolean {
  const isTroubled = state !== 'HEALTHY' || maintenance || breaker.state !== 'CLOSED';
  return queued + running > 0 || isTroubled;
}

function Totals({ of: queues }: { readonly of: readonly Queue[] }) {
  const words = serviceTexts();
  const sum = (of: (queue: Queue) => number) => queues.reduce((all, each) => all + of(each), 0);
  const totals = [
    [words.queued, sum(({ queued }) => queued)],
    [words.running, sum(({ running }) => running)],
    [words.open, sum(({ breaker }) => (breaker.state === 'CLOSED' ? 0 : 1))],
  ] as const;
  return (
    <ul class="totals">
      {totals.map(([name, value]) => (
        <li key={name} class="card">
          <span class="faint">{name}</span>
          <strong class="numeric">{count(value)}</strong>
        </li>
      ))}
    </ul>
  );
}

function QueueTable({ queues }: { readonly queues: readonly Queue[] }) {
  const words = serviceTexts();
  return (
    <Table
      caption={words.queues}
      rows={queues}
      keyOf={({ provider, env_scope: scope }) => `${provider} ${scope}`}
      columns={[
        { title: words.institution, isHeading: true, cell: ({ name }) => name },
        { title: words.environment, cell: (each) => ENVIRONMENT_NAMES()[each.env_scope] },
        {
          title: words.health,
          cell: (each) =>
            each.configured ? <HealthBadge of={each} /> : <Badge tone="idle">{words.absent}</Badge>,
        },
        { title: words.queued, numeric: true, cell: ({ queued }) => count(queued) },
        { title: words.running, numeric: true, cell: ({ running }) => count(running) },
        { title: words.oldest, cell: ({ oldest_queued_at: at }) => dateTime(at) },
        { title: words.breaker, cell: ({ breaker }) => <BreakerBadge of={breaker} /> },
      ]}
    />
  );
}
