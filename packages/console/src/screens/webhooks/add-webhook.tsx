import { EVENT_TYPES } from '@changgu/contract';
import { call } from '../../api/call.ts';
import { environment } from '../../app/preferences.ts';
import { Dialog } from '../../components/dialog.tsx';
import { CheckField, FieldGroup, TextField } from '../../components/field.tsx';
import { Form, textOf, textsOf } from '../../components/form.tsx';
import { EVENT_NAMES } from './event-names.ts';
import { webhooksTexts } from './webhooks-texts.ts';

interface Props {
  readonly onClose: () => void;
  readonly onAdded: (secret: string) => void;
}

/**
 * A test is sent to the endpoint that it was requested for, whatever event types the endpoint has. The other one is
 * reserved: an endpoint that waited for it would hear nothing.
 */
const OFFERED = EVENT_TYPES.filter(
  (type) => type !== 'webhook.test' && type !== 'job.input_required',
);

/** For the environment chosen at the top. */
export function AddWebhook({ onClose, onAdded }: Props) {
  const words = webhooksTexts();
  return (
    <Dialog title={words.add} onClose={onClose}>
      <Form
        submitLabel={words.add}
        onSubmit={async (values) => {
          const chosen = textsOf(values, 'event_types');
          const { secret } = await call('createWebhook', {
            body: {
              url: textOf(values, 'url') ?? '',
              event_types: OFFERED.filter((type) => chosen.includes(type)),
              env_scope: environment.value,
              description: textOf(values, 'description') ?? null,
            },
          });
          onAdded(secret);
        }}
      >
        <TextField label={words.url} hint={words.urlHint} name="url" wide required />
        <TextField label={words.description} name="description" maxLength={200} wide />
        <FieldGroup legend={words.events} name="event_types">
          {OFFERED.map((type) => (
            <CheckField
              key={type}
              label={EVENT_NAMES()[type]}
              hint={type}
              name="event_types"
              value={type}
              checked={type === 'job.finished'}
            />
          ))}
        </FieldGroup>
      </Form>
    </Dialog>
  );
}
