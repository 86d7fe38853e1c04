import { randomUUID } from 'node:crypto';
import { LIMITS } from '@changgu/contract';
import {
  type CatalogueAction,
  RESULT_VIEW_PROPERTIES,
  type ResultView,
} from '@changgu/contract/catalogue';
import { AllAccountsRequest, JobSubmitRequest } from '@changgu/contract/schemas';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Language } from '../../requests/language.ts';
import {
  type FieldViolation,
  invalidShape,
  MAX_FIELDS,
  ServiceError,
} from '../../rules/service-error.ts';
import { isSendableKey } from '../../rules/submission/idempotency-key.ts';
import { shapeCheck } from '../../validation/shape-check.ts';
import { inputSchemaOf, RESERVED_ARGUMENTS } from './tool-schemas.ts';
import { explainUnknown, unknownArgument } from './unknown-arguments.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** A parsed tool call. */
export interface ToolCall {
  readonly accountLinkId: string | null;
  /** The action's params, without the service's own arguments. */
  readonly params: Arguments;
  readonly encryptedFields: Readonly<Record<string, string>>;
  /** Null: a single job. `ids` null: every account. */
  readonly accounts: { readonly ids: readonly string[] | null } | null;
  readonly idempotencyKey: string;
  /**
   * Whether a failure without effect frees the key. Not that of the header, which means here what it means for
   * POST /v1/jobs.
   */
  readonly isFreedByFailure: boolean;
  readonly view: ResultView;
  /** Null for none. */
  readonly confirmToken: string | null;
}

/**
 * Reads `params.arguments` of a call. Names are checked as in REST, with the same messages.
 * @throws ServiceError for an invalid field; ProtocolError for an invalid choice of accounts
 */
export function readToolCall(
  action: CatalogueAction,
  args: Arguments,
  { idempotencyKey, language }: { idempotencyKey: string | null; language: Language },
): ToolCall {
  const several = chosenAccounts(action, args, language);
  const params = paramsOf(args);
  const { account_link_id = null, encrypted_fields } = args;
  const request = {
    provider: action.provider,
    action: action.id,
    account_link_id,
    params,
    ...(encrypted_fields === undefined ? {} : { encrypted_fields }),
  };
  const check = several ? severalShape : singleShape;
  const ids = { bank_account_credential_ids: args.bank_account_credential_ids ?? null };
  const violations = [
    ...unknownNames(action, params),
    ...check(several ? { ...request, ...ids } : request),
    ...explainUnknown(viewShape(args.view ?? {}), VIEW, VIEW_LOCATION.length + 1),
  ];
  if (violations.length > 0) throw invalidShape(violations);
  const key = keyOf(action, args.request_id, idempotencyKey);
  return {
    accountLinkId: stringOrNull(account_link_id),
    params,
    // The check above has verified both types.
    encryptedFields: (encrypted_fields ?? {}) as Readonly<Record<string, string>>,
    accounts: several ? { ids: ids.bank_account_credential_ids as readonly string[] | null } : null,
    idempotencyKey: key,
    isFreedByFailure: key !== idempotencyKey,
    // The check above has verified the type.
    view: (args.view ?? {}) as ResultView,
    confirmToken: confirmTokenOf(args.confirm_token),
  };
}

const VIEW = { type: 'object', properties: RESULT_VIEW_PROPERTIES, additionalProperties: false };
const VIEW_LOCATION = ['arguments', 'view'] as const;
const viewShape = shapeCheck(VIEW, VIEW_LOCATION);

/**
 * REST ignores unknown params. If a model made one up, a person would agree to something that never
 * happens, so a tool refuses them.
 */
function unknownNames(action: CatalogueAction, params: Arguments): FieldViolation[] {
  const unknown = Object.keys(params)
    .filter((name) => !Object.hasOwn(action.params.properties, name))
    .slice(0, MAX_FIELDS);
  if (unknown.length === 0) return [];
  const known = Object.keys(inputSchemaOf(action).properties);
  return unknown.map((name) => unknownArgument(['arguments', name], known, action.encryptedFields));
}

const singleShape = shapeCheck(JobSubmitRequest, ['body']);
const severalShape = shapeCheck(AllAccountsRequest, ['body']);

/** Whether it is a call for several accounts. */
function chosenAccounts(action: CatalogueAction, args: Arguments, language: Language): boolean {
  const { all_accounts: all = null, bank_account_credential_ids: ids = null } = args;
  if (all !== null && typeof all !== 'boolean') {
    const msg = 'Input should be a valid boolean';
    throw invalidShape([{ loc: ['arguments', 'all_accounts'], msg, type: 'bool_type' }]);
  }
  const isAll = all === true;
  if (!isAll && ids === null) return false;
  if (!action.selectsAccount) throw refusedChoice(NO_ACCOUNTS[language]);
  const one = args.bank_account_credential_id ?? null;
  if (one !== null || (isAll && ids !== null)) throw refusedChoice(ONE_CHOICE[language]);
  return true;
}

const ONE_CHOICE = {
  ko: 'bank_account_credential_id, bank_account_credential_ids, all_accounts: true 가운데 하나만 보내십시오.',
  en: 'Send only one of bank_account_credential_id, bank_account_credential_ids and all_accounts: true.',
};

const NO_ACCOUNTS = {
  ko: '이 도구는 계좌를 선택하는 업무가 아니므로 all_accounts와 bank_account_credential_ids를 쓸 수 없습니다.',
  en: 'This tool does not select accounts: it takes neither all_accounts nor bank_account_credential_ids.',
};

/** These two errors carry no code of the service. */
function refusedChoice(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** Null counts as if the account were not named. */
function paramsOf(args: Arguments): Arguments {
  const own = Object.entries(args).filter(
    ([name, value]) =>
      !Object.hasOwn(RESERVED_ARGUMENTS, name) &&
      !(name === 'bank_account_credential_id' && value === null),
  );
  return Object.fromEntries(own);
}

/** A REST body's error, located in `arguments`, which is one object with the params in it. */
export function locatedInArguments(error: ServiceError): ServiceError {
  const { code, details, status } = error;
  if (details.fields === undefined) return error;
  return new ServiceError(code, { ...details, fields: details.fields.map(inArguments) }, status);
}

function inArguments({ loc, ...rest }: FieldViolation): FieldViolation {
  const [part, first, ...path] = loc;
  if (part !== 'body') return { loc, ...rest };
  const inside = first === 'params' || first === undefined ? path : [first, ...path];
  return { loc: ['arguments', ...inside], ...rest };
}

function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** The argument, or the header, or one of our own. */
function keyOf(action: CatalogueAction, requestId: unknown, header: string | null): string {
  const key = requestId === undefined || requestId === null ? header : checkedRequestId(requestId);
  if (key !== null) return key;
  if (action.irreversible) throw keyRequired();
  return randomUUID();
}

function confirmTokenOf(token: unknown): string | null {
  if (token === undefined || token === null) return null;
  if (typeof token === 'string') return token;
  const loc = ['arguments', 'confirm_token'];
  throw invalidShape([{ loc, msg: 'Input should be a valid string', type: 'string_type' }]);
}

/** Checked like the header. */
function checkedRequestId(requestId: unknown): string {
  const loc = ['arguments', 'request_id'];
  if (typeof requestId !== 'string') {
    throw invalidShape([{ loc, msg: 'Input should be a valid string', type: 'string_type' }]);
  }
  const key = requestId.trim();
  const { min, max } = LIMITS.idempotencyKey;
  if (key.length < min || key.length > max || !isSendableKey(key)) {
    const msg = `String should have ${min} to ${max} ASCII characters`;
    throw invalidShape([{ loc, msg, type: 'value_error' }]);
  }
  return key;
}

function keyRequired(): ServiceError {
  return new ServiceError('IDEMPOTENCY_KEY_REQUIRED', {
    message: {
      ko: '되돌릴 수 없는 업무에는 request_id가 필요합니다. 같은 호출을 되풀이할 때는 같은 값을 보내십시오.',
      en: 'An irreversible action needs a request_id. Send the same one when you repeat the call.',
    },
  });
}
