import { call } from '../../api/call.ts';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Form, textOf } from '../../components/form.tsx';
import { encrypted } from '../links/encrypt.ts';
import { AccountPassword } from './account-password.tsx';
import { linkScreenTexts } from './link-screen-texts.ts';

interface Props {
  readonly accountLinkId: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function AddAccount({ accountLinkId, onClose, onDone }: Props) {
  const words = linkScreenTexts();
  return (
    <Dialog title={words.addAccount} onClose={onClose}>
      <Form
        submitLabel={words.addAccount}
        onSubmit={async (values) => {
          const { account_no = '', account_password = '' } = await encrypted({
            account_no: textOf(values, 'account_no') ?? '',
            account_password: textOf(values, 'account_password') ?? '',
          });
          await call('linkBankAccount', {
            params: { account_link_id: accountLinkId },
            body: { account_no, account_password },
          });
          onClose();
          onDone();
        }}
      >
        <TextField
          label={words.accountNumber}
          hint={words.accountHint}
          name="account_no"
          required
          inputMode="numeric"
          pattern="[0-9-]{8,20}"
          autocomplete="off"
        />
        <AccountPassword />
      </Form>
    </Dialog>
  );
}
