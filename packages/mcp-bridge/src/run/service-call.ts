import {
  type CatalogueAction,
  DATA_FORMS,
  type ReservedParam,
  type ResultView,
} from '@changgu/sdk/catalogue';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import type { ArgumentProblem } from '../tools/check-arguments.ts';

/** One call of a service, by whichever tool. */
export interface ServiceCall {
  readonly action: CatalogueAction;
  readonly params: JsonObject;
  readonly accountLinkId: string | undefined;
  /** The link that the service chose and the person was told of; absent where no one was asked. */
  readonly agreedLinkId?: string | undefined;
  readonly requestId: string | undefined;
  readonly confirmToken: string | undefined;
  /** Several accounts: all of them, or those that are named. */
  readonly allAccounts: boolean;
  readonly bankAccountIds: readonly string[] | undefined;
  /** The arguments that select accounts; more than one contradict each other. */
  readonly selectors: readonly string[];
  readonly view: ResultView;
  /** Seconds to wait for the end, at most the cap. */
  readonly waitSeconds: number;
}

const DEFAULT_WAIT_SECONDS = 20;

/** The bridge's own arguments, besides an action's params (D134: no param has one of these names). */
export const RESERVED_NAMES = [
  'account_link_id',
  'request_id',
  'wait_seconds',
  'confirm_token',
  'all_accounts',
  'bank_account_credential_ids',
  'view',
] as const satisfies readonly ReservedParam[];

/** @param args checked against the tool's schema @param cap seconds */
export function readServiceCall(
  action: CatalogueAction,
  args: JsonObject,
  params: JsonObject,
  cap: number,
): ServiceCall {
  const ids = args.bank_account_credential_ids;
  const selectors = {
    bank_account_credential_id: params.bank_account_credential_id !== undefined,
    bank_account_credential_ids: Array.isArray(ids),
    all_accounts: args.all_accounts === true,
  };
  return {
    action,
    params,
    accountLinkId: textOf(args.account_link_id),
    requestId: textOf(args.request_id),
    confirmToken: textOf(args.confirm_token),
    allAccounts: selectors.all_accounts || selectors.bank_account_credential_ids,
    bankAccountIds: Array.isArray(ids) ? ids.map(String) : undefined,
    selectors: Object.entries(selectors).flatMap(([name, isGiven]) => (isGiven ? [name] : [])),
    view: readView(args.view),
    waitSeconds: readWaitSeconds(args.wait_seconds, cap),
  };
}

/** @param value of the argument, or the arguments of a tool that has them at its top */
export function readView(value: unknown): ResultView {
  if (!isJsonObject(value)) return {};
  const { cursor, limit, fields, form } = value;
  return {
    ...(typeof cursor === 'number' ? { cursor } : {}),
    ...(typeof limit === 'number' ? { limit } : {}),
    ...(Array.isArray(fields) ? { fields: fields.map(String) } : {}),
    ...(isForm(form) ? { form } : {}),
  };
}

function isForm(value: unknown): value is ResultView['form'] {
  return DATA_FORMS.some((form) => form === value);
}

/** Seconds to wait: the requested time or 20, at most the cap. */
export function readWaitSeconds(value: unknown, cap: number): number {
  return Math.min(typeof value === 'number' ? value : DEFAULT_WAIT_SECONDS, cap);
}

/** What is wrong with the selection of accounts, if anything. */
export function checkSelection({
  action,
  allAccounts,
  bankAccountIds,
  selectors,
}: ServiceCall): ArgumentProblem | null {
  const field = selectors.at(-1) ?? '';
  if (!allAccounts) return null;
  if (!action.selectsAccount) return { field, problem: 'this service selects no bank account' };
  if (selectors.length > 1) return { field, problem: `pass only one of ${selectors.join(', ')}` };
  return bankAccountIds?.length === 0 ? { field, problem: 'must not be empty' } : null;
}

/** The arguments that repeat a call, without those of a single attempt. */
export function reservedOf({ accountLinkId }: ServiceCall): JsonObject {
  return accountLinkId === undefined ? {} : { account_link_id: accountLinkId };
}

/** The accounts of the call, as arguments. */
export function accountsOf({ allAccounts, bankAccountIds }: ServiceCall): JsonObject {
  if (bankAccountIds) return { bank_account_credential_ids: bankAccountIds };
  return allAccounts ? { all_accounts: true } : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
