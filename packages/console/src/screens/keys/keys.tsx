import type {
  AppCredentialIssueResponse,
  AppCredentialListResponse,
  AppCredentialRecord,
} from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { may } from '../../api/may.ts';
import { type Resource, useResource } from '../../api/use-resource.ts';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { CheckField } from '../../components/field.tsx';
import { Empty, Loaded } from '../../components/loaded.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Agents } from './agents.tsx';
import { Grants } from './grants.tsx';
import { IssueKey } from './issue-key.tsx';
import { KeyTable } from './key-table.tsx';
import { keysTexts } from './keys-texts.ts';
import { NewSecret } from './new-secret.tsx';
import { RotateKey } from './rotate-key.tsx';

export function Keys() {
  const words = keysTexts();
  const isIssuing = useSignal(false);
  const issued = useSignal<AppCredentialIssueResponse | null>(null);
  const rotating = useSignal<AppCredentialRecord | null>(null);
  const revoking = useSignal<AppCredentialRecord | null>(null);
  const keys = useResource('', (signal) => call('listAppCredentials', { signal }));
  return (
    <Page
      title={words.title}
      about={words.about}
      actions={
        may('issueAppCredential') ? (
          <Button look="primary" onClick={() => (isIssuing.value = true)}>
            {words.issue}
          </Button>
        ) : null
      }
    >
      <KeySection
        keys={keys}
        onRotate={(key) => (rotating.value = key)}
        onRevoke={(key) => (revoking.value = key)}
      />
      {may('listOAuthGrants') ? <Grants /> : null}
      <Agents />
      {isIssuing.value ? (
        <IssueKey
          onClose={() => (isIssuing.value = false)}
          onIssued={(key) => {
            issued.value = key;
            keys.reload();
          }}
        />
      ) : null}
      {issued.value === null ? null : (
        <NewSecret issued={issued.value} onClose={() => (issued.value = null)} />
      )}
      {rotating.value === null ? null : (
        <RotateKey
          of={rotating.value}
          onClose={() => (rotating.value = null)}
          onRotated={(key) => {
            issued.value = key;
            keys.reload();
          }}
        />
      )}
      {revoking.value === null ? null : (
        <Revoke of={revoking.value} onClose={() => (revoking.value = null)} onDone={keys.reload} />
      )}
    </Page>
  );
}

interface KeySectionProps {
  readonly keys: Resource<AppCredentialListResponse>;
  readonly onRotate: (key: AppCredentialRecord) => void;
  readonly onRevoke: (key: AppCredentialRecord) => void;
}

function KeySection({ keys, onRotate, onRevoke }: KeySectionProps) {
  const words = keysTexts();
  const withRevoked = useSignal(false);
  return (
    <Section title={words.caption}>
      <Loaded of={keys}>
        {({ items }) => {
          const shown = items.filter(({ status }) => withRevoked.value || status !== 'REVOKED');
          return shown.length === 0 ? (
            <Empty title={words.empty} />
          ) : (
            <KeyTable keys={shown} onRotate={onRotate} onRevoke={onRevoke} />
          );
        }}
      </Loaded>
      <CheckField
        label={words.withRevoked}
        checked={withRevoked.value}
        onChange={(checked) => (withRevoked.value = checked)}
      />
    </Section>
  );
}

interface RevokeProps {
  readonly of: AppCredentialRecord;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function Revoke({ of: key, onClose, onDone }: RevokeProps) {
  const words = keysTexts();
  return (
    <Confirm
      title={words.revokeTitle}
      confirmLabel={words.revoke}
      onClose={onClose}
      consequences={
        <>
          <p>{words.revokeWhat(key.label)}</p>
          <p>
            <code>{key.client_id}</code>
          </p>
        </>
      }
      onConfirm={async () => {
        await call('revokeAppCredential', { params: { client_id: key.client_id } });
        onDone();
      }}
    />
  );
}
