import type {
  AccountLink,
  BankAccount,
  ConsentUrl,
  LinkedCredential,
  SelectedAssets,
  UnlinkedBankAccount,
  UnlinkedCredential,
} from '@changgu/sdk';
import { fieldsOf, type Shape } from '../../output/shape.ts';

export const LINK: Shape = {
  fields: [
    ...fieldsOf<AccountLink>()([
      'account_link_id',
      'provider',
      'status',
      'auth_type',
      'display_label',
      'is_primary',
      'purpose',
      'cert',
      'registered_at',
      'biz_number',
      'business_name',
      'selected_assets',
      'unlinked_at',
      'unlink_reason',
    ]),
    'cert_not_after',
  ],
  columns: [
    'account_link_id',
    'provider',
    'status',
    'is_primary',
    'display_label',
    'cert_not_after',
    'registered_at',
  ],
  expendable: ['registered_at', 'is_primary'],
  id: 'account_link_id',
  whole: ['provider', 'status'],
  details: [
    'account_link_id',
    'provider',
    'status',
    'auth_type',
    'display_label',
    'is_primary',
    'purpose',
    'cert',
    'registered_at',
    'biz_number',
    'business_name',
    'selected_assets',
    'unlinked_at',
    'unlink_reason',
  ],
};

/** A link together with its certificate's expiry, for lists. */
export function linkRow(link: AccountLink): object {
  return { ...link, certNotAfter: link.cert?.notAfter ?? null };
}

export const LINKED: Shape = {
  fields: [
    ...fieldsOf<LinkedCredential>()([
      'account_link_id',
      'provider',
      'status',
      'auth_type',
      'display_label',
      'is_primary',
      'purpose',
      'cert',
      'registered_at',
      'fan_out',
    ]),
    'changed',
  ],
  columns: ['account_link_id'],
  id: 'account_link_id',
};

export const UNLINKED: Shape = {
  fields: fieldsOf<UnlinkedCredential>()([
    'account_link_id',
    'status',
    'unlink_reason',
    'unlinked_at',
  ]),
  columns: ['account_link_id', 'status'],
  id: 'account_link_id',
};

export const CONSENT: Shape = {
  fields: fieldsOf<ConsentUrl>()(['consent_url', 'state', 'expires_at']),
  columns: ['consent_url', 'state', 'expires_at'],
  id: 'consent_url',
};

export const SELECTED: Shape = {
  fields: fieldsOf<SelectedAssets>()(['account_link_id', 'selected_assets']),
  columns: ['account_link_id', 'selected_assets'],
  id: 'account_link_id',
};

export const ACCOUNT: Shape = {
  fields: fieldsOf<BankAccount>()([
    'bank_account_credential_id',
    'masked_account_no',
    'status',
    'is_default',
    'registered_at',
  ]),
  columns: [
    'bank_account_credential_id',
    'masked_account_no',
    'status',
    'is_default',
    'registered_at',
  ],
  id: 'bank_account_credential_id',
  whole: ['masked_account_no', 'status'],
};

/** The same across links. */
export const ACCOUNT_OF_LINK: Shape = {
  ...ACCOUNT,
  fields: [...(ACCOUNT.fields ?? []), 'provider', 'account_link_id'],
  columns: [
    'provider',
    'masked_account_no',
    'status',
    'bank_account_credential_id',
    'is_default',
    'account_link_id',
    'registered_at',
  ],
  expendable: ['account_link_id', 'registered_at', 'is_default'],
};

export const UNLINKED_ACCOUNT: Shape = {
  fields: fieldsOf<UnlinkedBankAccount>()(['bank_account_credential_id', 'status']),
  columns: ['bank_account_credential_id', 'status'],
  id: 'bank_account_credential_id',
};
