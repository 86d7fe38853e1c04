import type { BankAccountRecord } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { may } from '../../api/may.ts';
import { useResource } from '../../api/use-resource.ts';
import { common } from '../../app/common-texts.ts';
import { date } from '../../app/format.ts';
import { ActButton } from '../../components/act-button.tsx';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Empty, Loaded } from '../../components/loaded.tsx';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { LINK_TONES, linkTexts } from '../links/link-texts.ts';
import { AddAccount } from './add-account.tsx';
import { linkScreenTexts } from './link-screen-texts.ts';
import { RemoveAccount } from './remove-account.tsx';
import { ReplacePassword } from './replace-password.tsx';

/** What someone wants to do with which account. */
interface Asked {
  readonly Act: typeof ReplacePassword | typeof RemoveAccount;
  readonly account: BankAccountRecord;
}

export function BankAccounts({ accountLinkId }: { readonly accountLinkId: string }) {
  const words = linkScreenTexts();
  const isAdding = useSignal(false);
  const asked = useSignal<Asked | null>(null);
  const accounts = useResource(accountLinkId, (signal) =>
    call('listBankAccounts', { params: { account_link_id: accountLinkId }, signal }),
  );
  async function makeDefault({ bank_account_credential_id }: BankAccountRecord) {
    await call('setDefaultBankAccount', {
      params: { account_link_id: accountLinkId, bank_account_credential_id },
    });
    accounts.reload();
  }
  return (
    <Section
      title={words.accounts}
      actions={
        may('linkBankAccount') ? (
          <Button onClick={() => (isAdding.value = true)}>{words.addAccount}</Button>
        ) : null
      }
    >
      <Loaded of={accounts}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={words.noAccounts} />
          ) : (
            <AccountTable
              accounts={items}
              onDefault={makeDefault}
              onReplace={(account) => (asked.value = { Act: ReplacePassword, account })}
              onRemove={(account) => (asked.value = { Act: RemoveAccount, account })}
            />
          )
        }
      </Loaded>
      {isAdding.value ? (
        <AddAccount
          accountLinkId={accountLinkId}
          onClose={() => (isAdding.value = false)}
          onDone={accounts.reload}
        />
      ) : null}
      {asked.value === null ? null : (
        <asked.value.Act
          accountLinkId={accountLinkId}
          account={asked.value.account}
          onClose={() => (asked.value = null)}
          onDone={accounts.reload}
        />
      )}
    </Section>
  );
}

interface TableProps {
  readonly accounts: readonly BankAccountRecord[];
  readonly onDefault: (account: BankAccountRecord) => Promise<unknown>;
  readonly onReplace: (account: BankAccountRecord) => void;
  readonly onRemove: (account: BankAccountRecord) => void;
}

function AccountTable({ accounts, onDefault, onReplace, onRemove }: TableProps) {
  const words = linkScreenTexts();
  const list = linkTexts();
  return (
    <Table
      caption={words.accounts}
      rows={accounts}
      keyOf={({ bank_account_credential_id: id }) => id}
      columns={[
        {
          title: words.accountNumber,
          isHeading: true,
          cell: ({ masked_account_no: number, is_default: isDefault }) => (
            <span class="row">
              <span class="numeric">{number}</span>
              {isDefault ? <Badge tone="busy">{words.default}</Badge> : null}
            </span>
          ),
        },
        {
          title: list.state,
          cell: ({ status }) => <Badge tone={LINK_TONES[status]}>{list.states[status]}</Badge>,
        },
        { title: list.registered, cell: ({ registered_at: at }) => date(at) },
        {
          title: common().actions,
          isTitleHidden: true,
          cell: (account) =>
            may('unlinkBankAccount') ? (
              <span class="row">
                {account.is_default ? null : (
                  <ActButton
                    look="quiet"
                    label={`${words.makeDefault}: ${account.masked_account_no}`}
                    act={() => onDefault(account)}
                  >
                    {words.makeDefault}
                  </ActButton>
                )}
                <Button
                  look="quiet"
                  label={`${words.replacePassword}: ${account.masked_account_no}`}
                  onClick={() => onReplace(account)}
                >
                  {words.replacePassword}
                </Button>
                <Button
                  look="quiet"
                  label={`${words.removeAccount}: ${account.masked_account_no}`}
                  onClick={() => onRemove(account)}
                >
                  {words.removeAccount}
                </Button>
              </span>
            ) : null,
        },
      ]}
    />
  );
}
