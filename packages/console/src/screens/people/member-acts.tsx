import { ORGANIZATION_ROLES, type OrganizationMember } from '@changgu/contract';
import { call } from '../../api/call.ts';
import { recheckSession } from '../../api/sign-in.ts';
import { shellTexts } from '../../app/shell-texts.ts';
import { Confirm } from '../../components/dialog.tsx';
import { SelectField } from '../../components/field.tsx';
import { textOf } from '../../components/form.tsx';
import { peopleTexts } from './people-texts.ts';

export interface MemberActProps {
  readonly of: OrganizationMember;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function ChangeRole({ of: member, onClose, onDone }: MemberActProps) {
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

export function Remove({ of: member, onClose, onDone }: MemberActProps) {
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

export function ResetFactors({ of: member, onClose, onDone }: MemberActProps) {
  const words = peopleTexts();
  return (
    <Confirm
      title={words.resetTitle}
      confirmLabel={words.reset}
      consequences={<p>{words.resetWhat(member.email)}</p>}
      onClose={onClose}
      onConfirm={async () => {
        await call('resetMemberFactors', { params: { user_id: member.user_id } });
        onDone();
      }}
    />
  );
}

export function HandOver({ of: member, onClose, onDone }: MemberActProps) {
  const words = peopleTexts();
  return (
    <Confirm
      title={words.handOverTitle}
      confirmLabel={words.handOver}
      consequences={<p>{words.handOverWhat(member.email)}</p>}
      onClose={onClose}
      onConfirm={async () => {
        await call('handOverOwnership', { body: { user_id: member.user_id } });
        // The caller has fewer rights from now on.
        await recheckSession();
        onDone();
      }}
    />
  );
}
