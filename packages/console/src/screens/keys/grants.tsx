import type { OAuthGrantRecord } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { may } from '../../api/may.ts';
import { useResource } from '../../api/use-resource.ts';
import { common, ENVIRONMENT_NAMES } from '../../app/common-texts.ts';
import { date } from '../../app/format.ts';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { grantsTexts } from './grants-texts.ts';

/** People's approvals of programs that act on their behalf. */
export function Grants() {
  const words = grantsTexts();
  const revoking = useSignal<OAuthGrantRecord | null>(null);
  const grants = useResource('', (signal) => call('listOAuthGrants', { signal }));
  return (
    <Section title={words.title}>
      <p class="faint">{words.about}</p>
      <Loaded of={grants}>
        {({ items }) => {
          const active = items.filter(({ status }) => status === 'ACTIVE');
          return active.length === 0 ? (
            <p>{words.none}</p>
          ) : (
            <GrantTable grants={active} onRevoke={(grant) => (revoking.value = grant)} />
          );
        }}
      </Loaded>
      {revoking.value === null ? null : (
        <Revoke
          of={revoking.value}
          onClose={() => (revoking.value = null)}
          onDone={grants.reload}
        />
      )}
    </Section>
  );
}

interface TableProps {
  readonly grants: readonly OAuthGrantRecord[];
  readonly onRevoke: (grant: OAuthGrantRecord) => void;
}

function GrantTable({ grants, onRevoke }: TableProps) {
  const words = grantsTexts();
  const names = ENVIRONMENT_NAMES();
  return (
    <Table
      caption={words.title}
      rows={grants}
      keyOf={({ grant_id: id }) => id}
      columns={[
        {
          title: words.program,
          isHeading: true,
          cell: ({ client_name: name, redirect_host: host }) => (
            <span class="stack">
              {name}
              <small class="faint">{host ?? words.device}</small>
            </span>
          ),
        },
        {
          title: words.scopes,
          cell: ({ scopes }) => <code>{scopes.join(' ')}</code>,
        },
        {
          title: words.environments,
          cell: ({ allowed_env_scopes: envs }) => envs.map((each) => names[each]).join(', '),
        },
        { title: words.lastUsed, cell: ({ last_used_at: at }) => date(at) },
        { title: words.expires, cell: ({ expires_at: at }) => date(at) },
        {
          title: common().actions,
          isTitleHidden: true,
          cell: (grant) =>
            may('revokeOAuthGrant') ? (
              <Button
                look="quiet"
                label={`${words.revoke}: ${grant.client_name}`}
                onClick={() => onRevoke(grant)}
              >
                {words.revoke}
              </Button>
            ) : null,
        },
      ]}
    />
  );
}

interface RevokeProps {
  readonly of: OAuthGrantRecord;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function Revoke({ of: grant, onClose, onDone }: RevokeProps) {
  const words = grantsTexts();
  return (
    <Confirm
      title={words.revokeTitle}
      confirmLabel={words.revoke}
      consequences={<p>{words.revokeWhat(grant.client_name)}</p>}
      onClose={onClose}
      onConfirm={async () => {
        await call('revokeOAuthGrant', { params: { grant_id: grant.grant_id } });
        onDone();
      }}
    />
  );
}
