import type { BankAccountRecord } from '@changgu/contract';

/** What a dialog about one account of a link needs. */
export interface AccountActProps {
  readonly accountLinkId: string;
  readonly account: BankAccountRecord;
  readonly onClose: () => void;
  readonly onDone: () => void;
}
