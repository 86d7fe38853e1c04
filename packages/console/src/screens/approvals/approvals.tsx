import type { AdminEnvAccessListResponse, AdminIntegratorListResponse } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { useResource } from '../../api/use-resource.ts';
import { common, ENVIRONMENT_NAMES } from '../../app/common-texts.ts';
import { dateTime } from '../../app/format.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { DECISION_TONES } from '../../components/decision-tones.ts';
import { CheckField } from '../../components/field.tsx';
import { Empty, Loaded } from '../../components/loaded.tsx';
import { Page, Section } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { approvalTexts } from './approval-texts.ts';
import { Decide } from './decide.tsx';

type AccessRequest = AdminEnvAccessListResponse['items'][number];
type Application = AdminIntegratorListResponse['items'][number];

export function Approvals() {
  const words = approvalTexts();
  const onlyOpen = useSignal(true);
  return (
    <Page
      title={words.approvals}
      actions={
        <CheckField
          label={words.onlyOpen}
          checked={onlyOpen.value}
          onChange={(checked) => (onlyOpen.value = checked)}
        />
      }
    >
      <AccessRequests onlyOpen={onlyOpen.value} />
      <Applications onlyOpen={onlyOpen.value} />
    </Page>
  );
}

interface Props {
  readonly onlyOpen: boolean;
}

function AccessRequests({ onlyOpen }: Props) {
  const words = approvalTexts();
  const deciding = useSignal<AccessRequest | null>(null);
  const requests = useResource(String(onlyOpen), (signal) =>
    call('listEnvAccessForAdmin', { query: onlyOpen ? { status: 'PENDING' } : {}, signal }),
  );
  const columns: Column<AccessRequest>[] = [
    { title: words.organization, isHeading: true, cell: organizationOf },
    { title: words.environment, cell: (each) => ENVIRONMENT_NAMES()[each.requested_target_env] },
    { title: words.reason, cell: ({ reason_text: reason }) => reason },
    { title: words.requested, cell: ({ created_at: at }) => dateTime(at) },
    stateColumn(),
    decideColumn({
      isOpen: (each) => each.status === 'PENDING',
      nameOf: (each) => each.organization_name,
      decide: (each) => (deciding.value = each),
    }),
  ];
  return (
    <Section title={words.access}>
      <Loaded of={requests}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={words.none} />
          ) : (
            <Table
              caption={words.access}
              columns={columns}
              rows={items}
              keyOf={(each) => each.request_id}
            />
          )
        }
      </Loaded>
      {deciding.value === null ? null : (
        <Decide
          approval={words.approveAccess(deciding.value.organization_name)}
          onClose={() => (deciding.value = null)}
          onDecide={async (body) => {
            const request_id = deciding.value?.request_id ?? 0;
            await call('decideEnvAccess', { params: { request_id }, body });
            requests.reload();
          }}
        />
      )}
    </Section>
  );
}

function Applications({ onlyOpen }: Props) {
  const words = approvalTexts();
  const deciding = useSignal<Application | null>(null);
  const applications = useResource(String(onlyOpen), (signal) =>
    call('listIntegratorApplicationsForAdmin', {
      query: onlyOpen ? { status: 'SUBMITTED' } : {},
      signal,
    }),
  );
  const columns: Column<Application>[] = [
    { title: words.company, isHeading: true, cell: ({ company_name: name }) => name },
    { title: words.organization, cell: organizationOf },
    { title: words.contact, cell: ({ contact_email: email }) => email },
    { title: words.useCase, cell: ({ use_case_text: text }) => text },
    { title: words.requested, cell: ({ submitted_at: at }) => dateTime(at) },
    stateColumn(),
    decideColumn({
      isOpen: (each) => each.status === 'SUBMITTED',
      nameOf: (each) => each.company_name,
      decide: (each) => (deciding.value = each),
    }),
  ];
  return (
    <Section title={words.applications}>
      <Loaded of={applications}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={words.none} />
          ) : (
            <Table
              caption={words.applications}
              columns={columns}
              rows={items}
              keyOf={(each) => each.application_id}
            />
          )
        }
      </Loaded>
      {deciding.value === null ? null : (
        <Decide
          approval={words.approveApplication(deciding.value.company_name)}
          onClose={() => (deciding.value = null)}
          onDecide={async (body) => {
            const application_id = deciding.value?.application_id ?? 0;
            await call('decideIntegratorApplication', { params: { application_id }, body });
            applications.reload();
          }}
        />
      )}
    </Section>
  );
}

/** Names may be equal, ids are not. */
function organizationOf({ organization_id: id, organization_name: name }: Named) {
  return (
    <>
      {name} <span class="faint">{id}</span>
    </>
  );
}

type Named = Pick<AccessRequest, 'organization_id' | 'organization_name'>;

type Decidable = Pick<AccessRequest, 'status'> | Pick<Application, 'status'>;

function stateColumn<Row extends Decidable>(): Column<Row> {
  const words = approvalTexts();
  return {
    title: words.state,
    cell: ({ status }) => <Badge tone={DECISION_TONES[status]}>{words.states[status]}</Badge>,
  };
}

interface Decidables<Row> {
  readonly isOpen: (row: Row) => boolean;
  readonly nameOf: (row: Row) => string;
  readonly decide: (row: Row) => void;
}

function decideColumn<Row>({ isOpen, nameOf, decide }: Decidables<Row>): Column<Row> {
  const words = approvalTexts();
  return {
    title: common().actions,
    isTitleHidden: true,
    cell: (row) =>
      isOpen(row) ? (
        <Button label={`${words.decide}: ${nameOf(row)}`} onClick={() => decide(row)}>
          {words.decide}
        </Button>
      ) : null,
  };
}
