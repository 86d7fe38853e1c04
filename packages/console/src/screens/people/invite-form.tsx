import { ORGANIZATION_ROLES } from '@changgu/contract';
import { call } from '../../api/call.ts';
import { may } from '../../api/may.ts';
import { shellTexts } from '../../app/shell-texts.ts';
import { Dialog } from '../../components/dialog.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { Form, textOf } from '../../components/form.tsx';
import { peopleTexts } from './people-texts.ts';

interface Props {
  readonly onClose: () => void;
  /** The link where the server sends no email, else null. */
  readonly onInvited: (link: string | null) => void;
}

export function InviteForm({ onClose, onInvited }: Props) {
  const words = peopleTexts();
  // Only an owner decides on roles above MEMBER.
  const roles = ORGANIZATION_ROLES.filter((role) => role === 'MEMBER' || may('setMemberRole'));
  return (
    <Dialog title={words.invite} onClose={onClose}>
      <Form
        submitLabel={words.invite}
        onSubmit={async (values) => {
          const role = roles.find((each) => each === textOf(values, 'role')) ?? 'MEMBER';
          const body = { email: textOf(values, 'email') ?? '', role };
          const { link } = await call('inviteMember', { body });
          onClose();
          onInvited(link);
        }}
      >
        <TextField
          label={words.email}
          hint={words.inviteHint}
          name="email"
          type="email"
          required
          autocomplete="off"
        />
        <SelectField
          label={words.role}
          name="role"
          options={roles.map((role) => [role, shellTexts().roles[role]] as const)}
        />
      </Form>
    </Dialog>
  );
}
