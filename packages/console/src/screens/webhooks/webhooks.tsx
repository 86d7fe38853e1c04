import type { WebhookRecord } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { useResource } from '../../api/use-resource.ts';
import { ENVIRONMENT_NAMES } from '../../app/common-texts.ts';
import { Button, Link } from '../../components/button.tsx';
import { Empty, Loaded } from '../../components/loaded.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { AddWebhook } from './add-webhook.tsx';
import { EVENT_NAMES } from './event-names.ts';
import { SigningSecret } from './signing-secret.tsx';
import { WebhookState } from './webhook-state.tsx';
import { webhooksTexts } from './webhooks-texts.ts';

export function Webhooks() {
  const words = webhooksTexts();
  const isAdding = useSignal(false);
  const secret = useSignal<string | null>(null);
  const webhooks = useResource('', (signal) => call('listWebhooks', { signal }));
  return (
    <Page
      title={words.title}
      about={words.about}
      actions={
        <Button look="primary" onClick={() => (isAdding.value = true)}>
          {words.add}
        </Button>
      }
    >
      <Section title={words.caption}>
        <Loaded of={webhooks}>
          {({ items }) =>
            items.length === 0 ? <Empty title={words.none} /> : <WebhookTable of={items} />
          }
        </Loaded>
      </Section>
      {isAdding.value ? (
        <AddWebhook
          onClose={() => (isAdding.value = false)}
          onAdded={(issued) => {
            isAdding.value = false;
            secret.value = issued;
            webhooks.reload();
          }}
        />
      ) : null}
      {secret.value === null ? null : (
        <SigningSecret secret={secret.value} onClose={() => (secret.value = null)} />
      )}
    </Page>
  );
}

function WebhookTable({ of: webhooks }: { readonly of: readonly WebhookRecord[] }) {
  const words = webhooksTexts();
  const names = ENVIRONMENT_NAMES();
  return (
    <Table
      caption={words.caption}
      rows={webhooks}
      keyOf={({ webhook_id: id }) => id}
      columns={[
        {
          title: words.url,
          isHeading: true,
          cell: ({ webhook_id: id, url, description }) => (
            <span class="stack">
              <Link to={`webhooks/${id}`}>{url}</Link>
              <small class="faint">{description}</small>
            </span>
          ),
        },
        { title: words.environment, cell: ({ env_scope: env }) => names[env] },
        {
          title: words.events,
          cell: ({ event_types: types }) => types.map((type) => EVENT_NAMES()[type]).join(', '),
        },
        { title: words.state, cell: (webhook) => <WebhookState of={webhook} /> },
      ]}
    />
  );
}
