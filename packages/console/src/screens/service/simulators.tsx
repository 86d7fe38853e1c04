import type { SimulatorRecord } from '@changgu/contract';
import { call } from '../../api/call.ts';
import { nameOf, useInstitutions } from '../../api/institution-list.ts';
import { useResource } from '../../api/use-resource.ts';
import { ActButton } from '../../components/act-button.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { HealthBadge } from './institution-badges.tsx';
import { serviceTexts } from './service-texts.ts';

const STATES = ['HEALTHY', 'DEGRADED', 'DOWN'] as const;

interface Props {
  readonly onChanged: () => void;
}

/** The simulated institutions of a dev server, for trying out how jobs cope with an outage. */
export function Simulators({ onChanged }: Props) {
  const words = serviceTexts();
  const institutions = useInstitutions().data?.items;
  const simulators = useResource('', (signal) => call('listSimulators', { signal }));
  return (
    <Section title={words.simulators}>
      <p class="faint">{words.simulatorsAbout}</p>
      <Loaded of={simulators}>
        {({ items }) => (
          <Table
            caption={words.simulators}
            rows={items}
            keyOf={({ provider }) => provider}
            columns={[
              {
                title: words.institution,
                isHeading: true,
                cell: ({ provider }) => nameOf(institutions, provider),
              },
              {
                title: words.health,
                cell: ({ state }) => <HealthBadge of={{ state, maintenance: false }} />,
              },
              {
                title: words.change,
                cell: (simulator) => (
                  <Changes
                    of={simulator}
                    onChanged={() => {
                      simulators.reload();
                      onChanged();
                    }}
                  />
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}

function Changes({ of: { provider, state }, onChanged }: Props & { readonly of: SimulatorRecord }) {
  const words = serviceTexts();
  return (
    <div class="row">
      {STATES.filter((each) => each !== state).map((each) => (
        <ActButton
          key={each}
          look="quiet"
          label={`${words.simulated[each]}: ${provider}`}
          act={async () => {
            await call('setSimulatorState', { params: { provider }, body: { state: each } });
            onChanged();
          }}
        >
          {words.simulated[each]}
        </ActButton>
      ))}
    </div>
  );
}
