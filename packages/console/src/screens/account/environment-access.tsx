import type { EnvAccessRecord } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { may } from '../../api/may.ts';
import { useResource } from '../../api/use-resource.ts';
import { ENVIRONMENT_NAMES } from '../../app/common-texts.ts';
import { date } from '../../app/format.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { DECISION_TONES } from '../../components/decision-tones.ts';
import { Dialog } from '../../components/dialog.tsx';
import { TextArea } from '../../components/field.tsx';
import { Form, textOf } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { accountTexts } from './account-texts.ts';

export function EnvironmentAccess() {
  const words = accountTexts();
  const isAsking = useSignal(false);
  const requests = useResource('', (signal) => call('listEnvAccess', { signal }));
  return (
    <Section
      title={words.access}
      actions={
        may('requestEnvAccess') ? (
          <Button onClick={() => (isAsking.value = true)}>{words.accessAsk}</Button>
        ) : null
      }
    >
      <Loaded of={requests}>
        {({ items }) =>
          items.length === 0 ? <p class="faint">{words.accessNone}</p> : <Requests of={items} />
        }
      </Loaded>
      {isAsking.value ? (
        <Dialog title={words.accessAsk} onClose={() => (isAsking.value = false)}>
          <Form
            submitLabel={words.accessAsk}
            onSubmit={async (values) => {
              const reason_text = textOf(values, 'reason_text') ?? null;
              await call('requestEnvAccess', {
                body: { requested_target_env: 'real_test', reason_text },
              });
              isAsking.value = false;
              requests.reload();
            }}
          >
            <TextArea label={words.accessReason} name="reason_text" maxLength={500} rows={3} />
          </Form>
        </Dialog>
      ) : null}
    </Section>
  );
}

function Requests({ of: requests }: { readonly of: readonly EnvAccessRecord[] }) {
  const words = accountTexts();
  return (
    <Table
      caption={words.access}
      rows={requests}
      keyOf={({ request_id: id }) => id}
      columns={[
        {
          title: words.environment,
          isHeading: true,
          cell: ({ requested_target_env: target }) => ENVIRONMENT_NAMES()[target],
        },
        {
          title: words.state,
          cell: ({ status }) => <Badge tone={DECISION_TONES[status]}>{words.states[status]}</Badge>,
        },
        { title: words.requested, cell: ({ created_at: at }) => date(at) },
        { title: words.decided, cell: ({ decided_at: at }) => date(at) },
      ]}
    />
  );
}
