import type { WebhookDelivery } from '@changgu/contract';
import { call } from '../../api/call.ts';
import { useResource } from '../../api/use-resource.ts';
import { common } from '../../app/common-texts.ts';
import { dateTime } from '../../app/format.ts';
import { ActButton } from '../../components/act-button.tsx';
import { Badge, type Tone } from '../../components/badge.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { webhooksTexts } from './webhooks-texts.ts';

const TONES: Readonly<Record<WebhookDelivery['status'], Tone>> = {
  PENDING: 'busy',
  SUCCEEDED: 'good',
  FAILED: 'bad',
};
const REFRESH_MS = 5_000;

interface Props {
  readonly webhookId: string;
  /** Grows when something was sent. */
  readonly version: number;
}

export function Deliveries({ webhookId, version }: Props) {
  const words = webhooksTexts();
  const deliveries = useResource(
    webhookId,
    (signal) =>
      call('listWebhookDeliveries', {
        params: { webhook_id: webhookId },
        query: { limit: 50 },
        signal,
      }),
    { everyMs: REFRESH_MS, version },
  );
  return (
    <Section title={words.deliveries}>
      <Loaded of={deliveries}>
        {({ items }) =>
          items.length === 0 ? (
            <p>{words.noDeliveries}</p>
          ) : (
            <DeliveryTable of={items} onReplayed={deliveries.reload} />
          )
        }
      </Loaded>
    </Section>
  );
}

interface TableProps {
  readonly of: readonly WebhookDelivery[];
  readonly onReplayed: () => void;
}

function DeliveryTable({ of: deliveries, onReplayed }: TableProps) {
  const words = webhooksTexts();
  return (
    <Table
      caption={words.deliveries}
      rows={deliveries}
      keyOf={({ delivery_id: id }) => id}
      columns={[
        {
          title: words.event,
          isHeading: true,
          cell: ({ event_type: type, kind }) => (
            <span class="row">
              <code>{type}</code>
              {kind === 'event' ? null : <small class="faint">{words.kinds[kind]}</small>}
            </span>
          ),
        },
        {
          title: words.state,
          cell: ({ status }) => <Badge tone={TONES[status]}>{words.states[status]}</Badge>,
        },
        { title: words.attempts, numeric: true, cell: ({ attempts }) => attempts },
        { title: words.answer, cell: (delivery) => <Answer of={delivery} /> },
        { title: words.at, cell: ({ created_at: at }) => dateTime(at) },
        {
          title: common().actions,
          isTitleHidden: true,
          cell: ({ webhook_id, delivery_id, event_type: type, created_at: at }) => (
            <ActButton
              look="quiet"
              label={`${words.replay}: ${type} ${dateTime(at)}`}
              act={async () => {
                await call('replayWebhookDelivery', { params: { webhook_id, delivery_id } });
                onReplayed();
              }}
            >
              {words.replay}
            </ActButton>
          ),
        },
      ]}
    />
  );
}

/** Whatever an endpoint answered is shown as text. */
function Answer({ of: delivery }: { readonly of: WebhookDelivery }) {
  const words = webhooksTexts();
  const { response_status: status, response_body: body, error } = delivery;
  const facts = [status, error && words.errors[error]].filter(Boolean);
  if (facts.length === 0) return <>–</>;
  return (
    <span class="stack">
      {facts.join(' · ')}
      {body ? <code>{body.slice(0, 200)}</code> : null}
    </span>
  );
}
