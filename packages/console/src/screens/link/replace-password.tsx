import { call } from '../../api/call.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form, textOf } from '../../components/form.tsx';
import { encrypted } from '../links/encrypt.ts';
import type { AccountActProps } from './account-act.ts';
import { AccountPassword } from './account-password.tsx';
import { linkScreenTexts } from './link-screen-texts.ts';

export function ReplacePassword({ accountLinkId, account, onClose, onDone }: AccountActProps) {
  const words = linkScreenTexts();
  const { bank_account_credential_id, masked_account_no: number } = account;
  return (
    <Dialog title={words.replacePassword} onClose={onClose}>
      <Form
        submitLabel={words.replacePassword}
        onSubmit={async (values) => {
          const { account_password = '' } = await encrypted({
            account_password: textOf(values, 'account_password') ?? '',
          });
          await call('updateBankAccount', {
            params: { account_link_id: accountLinkId, bank_account_credential_id },
            body: { account_password },
          });
          onClose();
          onDone();
        }}
      >
        <p class="consequences wide">{words.replaceWhat(number)}</p>
        <AccountPassword />
      </Form>
    </Dialog>
  );
}
