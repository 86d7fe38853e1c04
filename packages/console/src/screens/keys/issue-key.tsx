import { type AppCredentialIssueResponse, ENV_SCOPES } from '@changgu/contract';
import { call } from '../../api/call.ts';
import { ENVIRONMENT_NAMES } from '../../app/common-texts.ts';
import { Dialog } from '../../components/dialog.tsx';
import { CheckField, FieldGroup, TextArea, TextField } from '../../components/field.tsx';
import { Form, textOf, textsOf } from '../../components/form.tsx';
import { keysTexts } from './keys-texts.ts';

interface Props {
  readonly onClose: () => void;
  readonly onIssued: (key: AppCredentialIssueResponse) => void;
}

export function IssueKey({ onClose, onIssued }: Props) {
  const words = keysTexts();
  return (
    <Dialog title={words.issue} onClose={onClose}>
      <Form
        submitLabel={words.issue}
        onSubmit={async (values) => {
          const key = await call('issueAppCredential', { body: requestOf(values) });
          onClose();
          onIssued(key);
        }}
      >
        <TextField
          label={words.label}
          hint={words.labelHint}
          name="label"
          required
          maxLength={100}
          wide
        />
        <FieldGroup legend={words.environments} name="allowed_env_scopes">
          {ENV_SCOPES.map((scope) => (
            <CheckField
              key={scope}
              name="allowed_env_scopes"
              value={scope}
              label={ENVIRONMENT_NAMES()[scope]}
              checked={scope === 'sandbox'}
            />
          ))}
        </FieldGroup>
        <TextField label={words.expires} hint={words.expiresHint} name="expires_at" type="date" />
        <FieldGroup legend={words.rights}>
          <CheckField name="read_only" label={words.readOnly} hint={words.readOnlyHint} />
          <CheckField name="allow_irreversible_tools" label={words.tools} />
          <CheckField name="manage_webhooks" label={words.webhooks} />
        </FieldGroup>
        <TextArea label={words.actions} hint={words.actionsHint} name="allowed_actions" rows={3} />
        <TextArea
          label={words.addresses}
          hint={words.addressesHint}
          name="allowed_addresses"
          rows={2}
        />
      </Form>
    </Dialog>
  );
}

function requestOf(values: FormData) {
  const scopes = textsOf(values, 'allowed_env_scopes');
  const [actions, addresses] = [
    linesIn(values, 'allowed_actions'),
    linesIn(values, 'allowed_addresses'),
  ];
  const expires = textOf(values, 'expires_at');
  return {
    label: textOf(values, 'label') ?? '',
    allowed_env_scopes: ENV_SCOPES.filter((scope) => scopes.includes(scope)),
    read_only: values.get('read_only') !== null,
    allow_irreversible_tools: values.get('allow_irreversible_tools') !== null,
    manage_webhooks: values.get('manage_webhooks') !== null,
    ...(actions.length === 0 ? {} : { allowed_actions: actions }),
    ...(addresses.length === 0 ? {} : { allowed_addresses: addresses }),
    // The end of that day in Korea.
    ...(expires === undefined ? {} : { expires_at: `${expires}T23:59:59+09:00` }),
  };
}

function linesIn(values: FormData, name: string): string[] {
  return (textOf(values, name) ?? '').split(/\s+/).filter((line) => line !== '');
}
