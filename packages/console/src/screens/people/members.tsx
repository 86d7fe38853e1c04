import { ORGANIZATION_ROLES, type OrganizationMember } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { may } from '../../api/may.ts';
import { session } from '../../api/session.ts';
import { useResource } from '../../api/use-resource.ts';
import { common } from '../../app/common-texts.ts';
import { shellTexts } from '../../app/shell-texts.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { SelectField } from '../../components/field.tsx';
import { textOf } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { peopleTexts } from './people-texts.ts';

interface Doing {
  readonly what: 'role' | 'remove';
  readonly member: OrganizationMember;
}

export function Members() {
  const words = peopleTexts();
  const doing = useSignal<Doing | null>(null);
  const members = useResource('', (signal) => call('listMembers', { signal }));
  const close = () => {
    doing.value = null;
  };
  return (
    <Section title={words.members}>
      <Loaded of={members}>
        {({ items }) => <MemberTable members={items} onDo={(each) => (doing.value = each)} />}
      </Loaded>
      {doing.value?.what === 'role' ? (
        <ChangeRole of={doing.value.member} onClose={close} onDone={members.reload} />
      ) : null}
      {doing.value?.what === 'remove' ? (
        <Remove of={doing.value.member} onClose={close} onDone={members.reload} />
      ) : null}
    </Section>
  );
}

interface TableProps {
  readonly members: readonly OrganizationMember[];
  readonly onDo: (doing: Doing) => void;
}

function MemberTable({ members, onDo }: TableProps) {
  const words = peopleTexts();
  const me = session.value?.kind === 'person' ? session.value.user.user_id : null;
  return (
    <Table
      caption={words.members}
      rows={members}
      keyOf={({ user_id: id }) => id}
      columns={[
        {
          title: words.name,
          isHeading: true,
          cell: ({ name, user_id: id }) => (
            <span class="row">
              {name}
              {id === me ? <Badge tone="busy">{words.you}</Badge> : null}
            </span>
          ),
        },
        { title: words.email, cell: ({ email }) => email },
        { title: words.role, cell: ({ role }) => shellTexts().roles[role] },
        {
          title: common().actions,
          isTitleHidden: true,
          cell: (member) =>
            member.user_id === me ? null : (
              <span class="row">
                {may('setMemberRole') ? (
                  <Button look="quiet" onClick={() => onDo({ what: 'role', member })}>
                    {words.changeRole}
                  </Button>
                ) : null}
                {member.role === 'MEMBER' || may('setMemberRole') ? (
                  <Button look="quiet" onClick={() => onDo({ what: 'remove', member })}>
                    {words.remove}
                  </Button>
                ) : null}
              </span>
            ),
        },
      ]}
    />
  );
}

interface ActProps {
  readonly of: OrganizationMember;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function ChangeRole({ of: member, onClose, onDone }: ActProps) {
  const words = peopleTexts();
  return (
    <Confirm
      title={words.changeRole}
      confirmLabel={words.changeRole}
      consequences={<p>{words.changeWhat(member.email)}</p>}
      onClose={onClose}
      onConfirm={async (values) => {
        const role = ORGANIZATION_ROLES.find((each) => each === textOf(values, 'role'));
        if (role === undefined) return;
        await call('setMemberRole', { params: { user_id: member.user_id }, body: { role } });
        onDone();
      }}
    >
      <SelectField
        label={words.role}
        name="role"
        value={member.role}
        options={ORGANIZATION_ROLES.map((role) => [role, shellTexts().roles[role]] as const)}
      />
    </Confirm>
  );
}

function Remove({ of: member, onClose, onDone }: ActProps) {
  const words = peopleTexts();
  return (
    <Confirm
      title={words.removeTitle}
      confirmLabel={words.remove}
      consequences={<p>{words.removeWhat(member.email)}</p>}
      onClose={onClose}
      onConfirm={async () => {
        await call('removeMember', { params: { user_id: member.user_id } });
        onDone();
      }}
    />
  );
}
