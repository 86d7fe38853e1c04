import type { AppCredentialRecord } from '@changgu/contract';
import { may } from '../../api/may.ts';
import { common, ENVIRONMENT_NAMES } from '../../app/common-texts.ts';
import { date, day } from '../../app/format.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Table } from '../../components/table.tsx';
import { keysTexts } from './keys-texts.ts';

interface Props {
  readonly keys: readonly AppCredentialRecord[];
  readonly onRotate: (key: AppCredentialRecord) => void;
  readonly onRevoke: (key: AppCredentialRecord) => void;
}

export function KeyTable({ keys, onRotate, onRevoke }: Props) {
  const words = keysTexts();
  const environments = ENVIRONMENT_NAMES();
  return (
    <Table
      caption={words.caption}
      rows={keys}
      keyOf={({ client_id: id }) => id}
      columns={[
        { title: words.label, isHeading: true, cell: ({ label }) => label },
        { title: 'client_id', cell: ({ client_id: id }) => <code>{id}</code> },
        {
          title: words.environments,
          cell: ({ allowed_env_scopes: scopes }) =>
            scopes.map((scope) => environments[scope]).join(', '),
        },
        { title: words.rights, cell: (key) => <Rights of={key} /> },
        {
          title: words.state,
          cell: ({ status }) => (
            <Badge tone={status === 'ACTIVE' ? 'good' : 'idle'}>{words.states[status]}</Badge>
          ),
        },
        {
          title: words.lastUse,
          cell: ({ last_used_on: used }) => (used === null ? words.never : day(used)),
        },
        { title: words.expires, cell: ({ expires_at: at }) => (at === null ? words.no : date(at)) },
        { title: words.created, cell: ({ created_at: at }) => date(at) },
        {
          title: common().actions,
          isTitleHidden: true,
          cell: (key) =>
            key.status === 'ACTIVE' && may('revokeAppCredential') ? (
              <div class="row">
                <Button
                  look="quiet"
                  label={`${words.rotate}: ${key.label}`}
                  onClick={() => onRotate(key)}
                >
                  {words.rotate}
                </Button>
                <Button
                  look="quiet"
                  label={`${words.revoke}: ${key.label}`}
                  onClick={() => onRevoke(key)}
                >
                  {words.revoke}
                </Button>
              </div>
            ) : null,
        },
      ]}
    />
  );
}

function Rights({ of: key }: { readonly of: AppCredentialRecord }) {
  const words = keysTexts();
  const parts = [
    ...(key.read_only ? [words.readOnly] : []),
    ...(key.allow_irreversible_tools ? [words.tools] : []),
    ...(key.manage_webhooks ? [words.webhooks] : []),
    ...(key.integration_profile === 'desktop_agent' ? [words.desktopAgent] : []),
    ...(key.allowed_actions ?? [words.allActions]),
    ...(key.allowed_addresses ?? []),
  ];
  return <>{parts.join(', ')}</>;
}
