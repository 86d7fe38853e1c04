import type { InvitationRecord } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { may } from '../../api/may.ts';
import { common } from '../../app/common-texts.ts';
import { dateTime } from '../../app/format.ts';
import { shellTexts } from '../../app/shell-texts.ts';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { Table } from '../../components/table.tsx';
import { peopleTexts } from './people-texts.ts';

interface Props {
  readonly invitations: readonly InvitationRecord[];
  readonly onChange: () => void;
}

export function Invitations({ invitations, onChange }: Props) {
  const words = peopleTexts();
  const revoking = useSignal<InvitationRecord | null>(null);
  if (invitations.length === 0) return <p class="faint">{words.noInvitations}</p>;
  return (
    <>
      <Table
        caption={words.invitations}
        rows={invitations}
        keyOf={({ invitation_id: id }) => id}
        columns={[
          { title: words.email, isHeading: true, cell: ({ email }) => email },
          { title: words.role, cell: ({ role }) => shellTexts().roles[role] },
          { title: words.expires, cell: ({ expires_at: at }) => dateTime(at) },
          {
            title: common().actions,
            isTitleHidden: true,
            cell: (each) =>
              may('revokeInvitation') ? (
                <Button
                  look="quiet"
                  label={`${words.revoke}: ${each.email}`}
                  onClick={() => (revoking.value = each)}
                >
                  {words.revoke}
                </Button>
              ) : null,
          },
        ]}
      />
      {revoking.value === null ? null : (
        <Confirm
          title={words.revoke}
          confirmLabel={words.revoke}
          consequences={<p>{words.revokeWhat(revoking.value.email)}</p>}
          onClose={() => (revoking.value = null)}
          onConfirm={async () => {
            const invitation_id = revoking.value?.invitation_id ?? '';
            await call('revokeInvitation', { params: { invitation_id } });
            onChange();
          }}
        />
      )}
    </>
  );
}
