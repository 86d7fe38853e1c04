import type { BankAccountRecord } from '@changgu/contract';
import { call } from '../../api/call.ts';
import { Confirm } from '../../components/dialog.tsx';
import { linkScreenTexts } from './link-screen-texts.ts';

interface Props {
  readonly accountLinkId: string;
  readonly account: BankAccountRecord;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function RemoveAccount({ accountLinkId, account, onClose, onDone }: Props) {
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
