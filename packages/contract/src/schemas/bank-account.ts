import { type Static, Type } from 'typebox';
import { KstTime, oneOf, strict, UuidV4 } from './vocabulary.ts';

/** SUSPENDED: the bank refused its password or locked it. */
export const BANK_ACCOUNT_STATUSES = ['ACTIVE', 'SUSPENDED', 'UNLINKED'] as const;
export type BankAccountStatus = (typeof BANK_ACCOUNT_STATUSES)[number];

const Encrypted = (description: string) =>
  Type.String({ minLength: 1, description: `${description}, RSA-OAEP, base64` });

/** Body of POST /v1/credentials/{account_link_id}/bank-accounts. */
export const BankAccountLinkRequest = Type.Object(
  {
    account_no: Encrypted('Account number, 8 to 16 digits'),
    account_password: Encrypted('Account password, 4 digits'),
  },
  { $id: 'BankAccountLinkRequest', ...strict },
);
export type BankAccountLinkRequest = Static<typeof BankAccountLinkRequest>;

export const BankAccountUpdateRequest = Type.Object(
  { account_password: Encrypted('The new account password, 4 digits') },
  { $id: 'BankAccountUpdateRequest', ...strict },
);
export type BankAccountUpdateRequest = Static<typeof BankAccountUpdateRequest>;

export const BankAccountRecord = Type.Object(
  {
    bank_account_credential_id: UuidV4,
    masked_account_no: Type.String({ examples: ['110*****7890'] }),
    status: oneOf(BANK_ACCOUNT_STATUSES),
    is_default: Type.Boolean(),
    registered_at: KstTime,
  },
  { $id: 'BankAccountRecord', ...strict },
);
export type BankAccountRecord = Static<typeof BankAccountRecord>;

export const BankAccountListResponse = Type.Object(
  { items: Type.Array(BankAccountRecord) },
  { $id: 'BankAccountListResponse', ...strict },
);
export type BankAccountListResponse = Static<typeof BankAccountListResponse>;

export const BankAccountUnlinkResponse = Type.Object(
  { bank_account_credential_id: UuidV4, status: Type.Literal('UNLINKED') },
  { $id: 'BankAccountUnlinkResponse', ...strict },
);
export type BankAccountUnlinkResponse = Static<typeof BankAccountUnlinkResponse>;
