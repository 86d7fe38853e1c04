import type { CatalogueAction, JsonSchema } from '@changgu/sdk/catalogue';

export const WAIT_SECONDS: JsonSchema = {
  type: 'integer',
  minimum: 0,
  description: 'Default 20',
};
const REQUEST_ID: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 128,
  description: 'Same id, same job',
};
const LINK: JsonSchema = { type: 'string', description: 'From session_status' };
const CONFIRM_TOKEN: JsonSchema = {
  type: 'string',
  description: 'After the person agreed',
};
const ALL_ACCOUNTS: JsonSchema = { type: 'boolean', description: 'All of this bank' };
const ACCOUNT_IDS: JsonSchema = {
  type: 'array',
  minItems: 1,
  items: { type: 'string' },
  description: 'These accounts only',
};

/** What is shown of a result. Its parts are named once, where a job is read: they would cost tokens at every tool. */
const VIEW: JsonSchema = { type: 'object' };

type Kind = Pick<CatalogueAction, 'irreversible' | 'selectsAccount'>;

/** The bridge's own arguments of a service of this kind. No credential is one of them, and none ever will be. */
export function callArguments({ irreversible, selectsAccount }: Kind): Record<string, JsonSchema> {
  return {
    account_link_id: LINK,
    ...(selectsAccount
      ? { all_accounts: ALL_ACCOUNTS, bank_account_credential_ids: ACCOUNT_IDS }
      : {}),
    request_id: REQUEST_ID,
    wait_seconds: WAIT_SECONDS,
    view: VIEW,
    ...(irreversible ? { confirm_token: CONFIRM_TOKEN } : {}),
  };
}
