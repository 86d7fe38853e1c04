import { call } from '../../api/call.ts';
import { Confirm } from '../../components/dialog.tsx';
import type { AccountActProps } from './account-act.ts';
import { linkScreenTexts } from './link-screen-texts.ts';

export function RemoveAccount({ accountLinkId, account, onClose, onDone }: AccountActProps) {
  const words = linkScreenTexts();
  const { bank_account_credential_id, masked_account_no: number } = account;
  return (
    <Confirm
      title={words.removeTitle}
      confirmLabel={words.removeAccount}
      consequences={<p>{words.removeWhat(number)}</p>}
      onClose={onClose}
      onConfirm={async () => {
        await call('unlinkBankAccount', {
          params: { account_link_id: accountLinkId, bank_account_credential_id },
        });
        onDone();
      }}
    />
  );
}
