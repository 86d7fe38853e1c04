import type { OrganizationRecord } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { useResource } from '../../api/use-resource.ts';
import { common } from '../../app/common-texts.ts';
import { count, date } from '../../app/format.ts';
import { navigate, place } from '../../app/router.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { Button, Link } from '../../components/button.tsx';
import { TextField } from '../../components/field.tsx';
import { Empty, Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { organizationsTexts } from './organizations-texts.ts';
import { Subscribe } from './subscribe.tsx';

const PAGE_SIZE = 20;
const MAX_SHOWN = 100;
const TONES: Readonly<Record<OrganizationRecord['state'], Tone>> = {
  ACTIVE: 'good',
  DISABLED: 'warn',
  DELETED: 'idle',
};

/** Every organization, and its plan. */
export function Organizations() {
  const words = organizationsTexts();
  const text = place.value.query.get('text') ?? '';
  const wanted = text.trim();
  const limit = useSignal(PAGE_SIZE);
  const changing = useSignal<OrganizationRecord | null>(null);
  const organizations = useResource(
    wanted,
    (signal) =>
      call('listOrganizations', {
        query: { limit: limit.value, ...(wanted === '' ? {} : { text: wanted }) },
        signal,
      }),
    { version: limit.value },
  );
  return (
    <Page title={words.title}>
      <search class="filters card">
        <TextField
          label={words.name}
          name="q"
          type="search"
          maxLength={100}
          value={text}
          onInput={(value) => navigate('organizations', { text: value }, { replace: true })}
        />
      </search>
      <Section title={words.caption}>
        <Loaded of={organizations}>
          {({ items, next_cursor: cursor }) => (
            <>
              {items.length === 0 ? (
                <Empty title={words.none} />
              ) : (
                <OrganizationTable of={items} onChange={(each) => (changing.value = each)} />
              )}
              {cursor !== null && limit.value >= MAX_SHOWN ? (
                <p class="faint">{words.searchForMore(MAX_SHOWN)}</p>
              ) : (
                <More
                  isThere={cursor !== null}
                  isLoading={organizations.isLoading}
                  onMore={() => (limit.value = MAX_SHOWN)}
                />
              )}
            </>
          )}
        </Loaded>
      </Section>
      {changing.value === null ? null : (
        <Subscribe
          organization={changing.value}
          onClose={() => (changing.value = null)}
          onDone={organizations.reload}
        />
      )}
    </Page>
  );
}

interface TableProps {
  readonly of: readonly OrganizationRecord[];
  readonly onChange: (organization: OrganizationRecord) => void;
}

function OrganizationTable({ of: organizations, onChange }: TableProps) {
  const words = organizationsTexts();
  return (
    <Table
      caption={words.caption}
      rows={organizations}
      keyOf={({ organization_id: id }) => id}
      columns={[
        { title: words.name, isHeading: true, cell: ({ name }) => name },
        { title: words.number, numeric: true, cell: ({ organization_id: id }) => String(id) },
        {
          title: common().state,
          cell: ({ state }) => <Badge tone={TONES[state]}>{words.states[state]}</Badge>,
        },
        { title: words.members, numeric: true, cell: ({ members }) => count(members) },
        { title: words.plan, cell: ({ plan_name: plan }) => plan },
        {
          title: words.subscription,
          cell: ({ subscription_status: status }) =>
            status === null ? '–' : words.subscriptions[status],
        },
        { title: words.until, cell: ({ current_period_end: end }) => date(end) },
        { title: words.created, cell: ({ created_at: at }) => date(at) },
        {
          title: common().actions,
          isTitleHidden: true,
          cell: (each) => (
            <div class="row">
              {each.state === 'DELETED' ? null : (
                <Button
                  look="quiet"
                  label={`${words.changePlan}: ${each.name}`}
                  onClick={() => onChange(each)}
                >
                  {words.changePlan}
                </Button>
              )}
              <Link to="audit" query={{ organization: String(each.organization_id) }}>
                {words.audit}
              </Link>
            </div>
          ),
        },
      ]}
    />
  );
}
