import { Type } from 'typebox';
import { defineOperation } from '../define-operation.ts';
import {
  BankAccountLinkRequest,
  BankAccountListResponse,
  BankAccountRecord,
  BankAccountUnlinkResponse,
  BankAccountUpdateRequest,
} from '../schemas/bank-account.ts';

const writer = { console_user: 'ADMIN', client: 'desktop_agent' } as const;
const reader = { console_user: 'MEMBER', client: true } as const;
const Id = Type.String({ minLength: 1, maxLength: 64 });
const LinkPath = Type.Object({ account_link_id: Id });
const AccountPath = Type.Object({ account_link_id: Id, bank_account_credential_id: Id });
const notFound = {
  account_link_id: 'BANK_ACCOUNT_PARENT_NOT_FOUND',
  bank_account_credential_id: 'BANK_ACCOUNT_CREDENTIAL_NOT_FOUND',
} as const;

export const linkBankAccount = defineOperation({
  id: 'linkBankAccount',
  method: 'POST',
  path: '/v1/credentials/{account_link_id}/bank-accounts',
  tag: 'bank-accounts',
  summary: 'Register a bank account on a link',
  may: writer,
  environment: 'none',
  params: LinkPath,
  body: BankAccountLinkRequest,
  responses: { 201: { description: 'The account', schema: BankAccountRecord } },
  errors: [
    'BANK_ACCOUNT_PARENT_NOT_FOUND',
    'CONFLICT_DUPLICATE',
    'CREDENTIAL_INVALID',
    'POLICY_TOOL_NOT_ALLOWED',
  ],
});

export const listBankAccounts = defineOperation({
  id: 'listBankAccounts',
  method: 'GET',
  path: '/v1/credentials/{account_link_id}/bank-accounts',
  tag: 'bank-accounts',
  summary: 'List the bank accounts of a link, newest first',
  may: reader,
  scope: 'links:read',
  environment: 'none',
  params: LinkPath,
  responses: { 200: { description: 'The accounts', schema: BankAccountListResponse } },
  errors: ['BANK_ACCOUNT_PARENT_NOT_FOUND'],
});

export const readBankAccount = defineOperation({
  id: 'readBankAccount',
  method: 'GET',
  path: '/v1/credentials/{account_link_id}/bank-accounts/{bank_account_credential_id}',
  tag: 'bank-accounts',
  summary: 'Get a bank account',
  may: reader,
  scope: 'links:read',
  environment: 'none',
  params: AccountPath,
  responses: { 200: { description: 'The account', schema: BankAccountRecord } },
  errors: ['BANK_ACCOUNT_PARENT_NOT_FOUND', 'BANK_ACCOUNT_CREDENTIAL_NOT_FOUND'],
  notFound,
});

export const updateBankAccount = defineOperation({
  id: 'updateBankAccount',
  method: 'PATCH',
  path: '/v1/credentials/{account_link_id}/bank-accounts/{bank_account_credential_id}',
  tag: 'bank-accounts',
  summary: 'Replace the password of a bank account; a suspended account becomes active',
  may: writer,
  environment: 'none',
  params: AccountPath,
  body: BankAccountUpdateRequest,
  responses: { 200: { description: 'The account', schema: BankAccountRecord } },
  errors: [
    'BANK_ACCOUNT_PARENT_NOT_FOUND',
    'BANK_ACCOUNT_CREDENTIAL_NOT_FOUND',
    'CREDENTIAL_INVALID',
    'POLICY_TOOL_NOT_ALLOWED',
  ],
  notFound,
});

export const unlinkBankAccount = defineOperation({
  id: 'unlinkBankAccount',
  method: 'DELETE',
  path: '/v1/credentials/{account_link_id}/bank-accounts/{bank_account_credential_id}',
  tag: 'bank-accounts',
  summary: 'Remove a bank account and erase what was stored for it',
  may: writer,
  environment: 'none',
  params: AccountPath,
  responses: { 200: { description: 'Removed', schema: BankAccountUnlinkResponse } },
  errors: [
    'BANK_ACCOUNT_PARENT_NOT_FOUND',
    'BANK_ACCOUNT_CREDENTIAL_NOT_FOUND',
    'POLICY_TOOL_NOT_ALLOWED',
  ],
  notFound,
  addition: true,
});

export const setDefaultBankAccount = defineOperation({
  id: 'setDefaultBankAccount',
  method: 'PUT',
  path: '/v1/credentials/{account_link_id}/bank-accounts/{bank_account_credential_id}/default',
  tag: 'bank-accounts',
  summary: 'Make this the default account of its link',
  may: writer,
  environment: 'none',
  params: AccountPath,
  responses: { 200: { description: 'The account', schema: BankAccountRecord } },
  errors: [
    'BANK_ACCOUNT_PARENT_NOT_FOUND',
    'BANK_ACCOUNT_CREDENTIAL_NOT_FOUND',
    'POLICY_TOOL_NOT_ALLOWED',
  ],
  notFound,
  addition: true,
});
