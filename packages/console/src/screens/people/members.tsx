import type { OrganizationMember } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { call } from '../../api/call.ts';
import { may } from '../../api/may.ts';
import { session } from '../../api/session.ts';
import { useResource } from '../../api/use-resource.ts';
import { common } from '../../app/common-texts.ts';
import { shellTexts } from '../../app/shell-texts.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { ChangeRole, HandOver, type MemberActProps, Remove, ResetFactors } from './member-acts.tsx';
import { peopleTexts } from './people-texts.ts';

const ACTS = { role: ChangeRole, handOver: HandOver, reset: ResetFactors, remove: Remove } as const;

interface Doing {
  readonly what: keyof typeof ACTS;
  readonly member: OrganizationMember;
}

export function Members() {
  const words = peopleTexts();
  const doing = useSignal<Doing | null>(null);
  const members = useResource('', (signal) => call('listMembers', { signal }));
  const close = () => {
    doing.value = null;
  };
  const Act: ComponentType<MemberActProps> | null = doing.value && ACTS[doing.value.what];
  return (
    <Section title={words.members}>
      <Loaded of={members}>
        {({ items }) => <MemberTable members={items} onDo={(each) => (doing.value = each)} />}
      </Loaded>
      {Act === null || doing.value === null ? null : (
        <Act of={doing.value.member} onClose={close} onDone={members.reload} />
      )}
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
          title: words.factor,
          cell: ({ second_factor: has }) => (has ? words.factorOn : words.factorOff),
        },
        {
          title: common().actions,
          isTitleHidden: true,
          cell: (member) => (member.user_id === me ? null : <Acts on={member} onDo={onDo} />),
        },
      ]}
    />
  );
}

interface ActsProps {
  readonly on: OrganizationMember;
  readonly onDo: (doing: Doing) => void;
}

function Acts({ on: member, onDo }: ActsProps) {
  const words = peopleTexts();
  const isOwner = may('setMemberRole');
  const names = [
    ['role', isOwner, words.changeRole],
    ['handOver', isOwner, words.handOver],
    ['reset', may('resetMemberFactors') && member.second_factor, words.reset],
    ['remove', isOwner || member.role === 'MEMBER', words.remove],
  ] as const;
  return (
    <span class="row">
      {names.map(([what, isOffered, name]) =>
        isOffered ? (
          <Button
            key={what}
            look="quiet"
            label={`${name}: ${member.email}`}
            onClick={() => onDo({ what, member })}
          >
            {name}
          </Button>
        ) : null,
      )}
    </span>
  );
}
