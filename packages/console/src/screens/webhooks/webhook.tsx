import type { WebhookRecord } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { useResource } from '../../api/use-resource.ts';
import { common, ENVIRONMENT_NAMES } from '../../app/common-texts.ts';
import { dateTime } from '../../app/format.ts';
import { navigate } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screens.ts';
import { ActButton } from '../../components/act-button.tsx';
import { Button, Link } from '../../components/button.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Facts, Page, Section } from '../../components/page.tsx';
import { Deliveries } from './deliveries.tsx';
import { EVENT_NAMES } from './event-names.ts';
import { SigningSecret } from './signing-secret.tsx';
import { WebhookState } from './webhook-state.tsx';
import { webhooksTexts } from './webhooks-texts.ts';

export function WebhookScreen({ id }: ScreenProps) {
  const words = webhooksTexts();
  const sent = useSignal(0);
  const webhook = useResource(id, (signal) =>
    call('readWebhook', { params: { webhook_id: id }, signal }),
  );
  return (
    <Page title={webhook.data?.url ?? words.title}>
      <p>
        <Link to="webhooks">{words.back}</Link>
      </p>
      <Loaded of={webhook}>
        {(data) => (
          <Webhook of={data} onChanged={webhook.reload} onSent={() => (sent.value += 1)} />
        )}
      </Loaded>
      <Deliveries webhookId={id} version={sent.value} />
    </Page>
  );
}

interface Props {
  readonly of: WebhookRecord;
  readonly onChanged: () => void;
  readonly onSent: () => void;
}

function Webhook({ of: webhook, onChanged, onSent }: Props) {
  const words = webhooksTexts();
  return (
    <Section title={words.title}>
      <Facts
        of={[
          [words.state, <WebhookState of={webhook} />],
          [words.environment, ENVIRONMENT_NAMES()[webhook.env_scope]],
          [words.description, webhook.description ?? '–'],
          [
            words.events,
            webhook.event_types.map((type) => `${EVENT_NAMES()[type]} (${type})`).join(', '),
          ],
          [common().created, dateTime(webhook.created_at)],
        ]}
      />
      <Acts of={webhook} onChanged={onChanged} onSent={onSent} />
    </Section>
  );
}

function Acts({ of: webhook, onChanged, onSent }: Props) {
  const words = webhooksTexts();
  const asking = useSignal<AskedProps['what'] | null>(null);
  const secret = useSignal<string | null>(null);
  const params = { webhook_id: webhook.webhook_id };
  const isEnabled = webhook.status === 'ENABLED';
  return (
    <>
      <div class="actions">
        {isEnabled ? (
          <ActButton
            act={async () => {
              await call('testWebhook', { params });
              onSent();
            }}
          >
            {words.test}
          </ActButton>
        ) : null}
        <ActButton
          act={async () => {
            const status = isEnabled ? 'DISABLED' : 'ENABLED';
            await call('updateWebhook', { params, body: { status } });
            onChanged();
          }}
        >
          {isEnabled ? words.disable : words.enable}
        </ActButton>
        <Button onClick={() => (asking.value = 'rotate')}>{words.rotate}</Button>
        <Button look="danger" onClick={() => (asking.value = 'remove')}>
          {words.remove}
        </Button>
      </div>
      {asking.value === null ? null : (
        <Asked
          what={asking.value}
          of={webhook}
          onClose={() => (asking.value = null)}
          onRotated={(issued) => (secret.value = issued)}
        />
      )}
      {secret.value === null ? null : (
        <SigningSecret
          secret={secret.value}
          onClose={() => {
            secret.value = null;
            onChanged();
          }}
        />
      )}
    </>
  );
}

interface AskedProps {
  readonly what: 'rotate' | 'remove';
  readonly of: WebhookRecord;
  readonly onClose: () => void;
  readonly onRotated: (secret: string) => void;
}

/** Actions that ask for confirmation. */
function Asked({ what, of: webhook, onClose, onRotated }: AskedProps) {
  const words = webhooksTexts();
  const params = { webhook_id: webhook.webhook_id };
  return what === 'rotate' ? (
    <Confirm
      title={words.rotate}
      confirmLabel={words.rotate}
      consequences={<p>{words.rotateWhat}</p>}
      onClose={onClose}
      onConfirm={async () => onRotated((await call('rotateWebhook', { params, body: {} })).secret)}
    />
  ) : (
    <Confirm
      title={words.removeTitle}
      confirmLabel={words.remove}
      consequences={<p>{words.removeWhat(webhook.url)}</p>}
      onClose={onClose}
      onConfirm={async () => {
        await call('deleteWebhook', { params });
        navigate('webhooks');
      }}
    />
  );
}
