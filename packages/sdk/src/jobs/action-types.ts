import type { ActionMap } from '@changgu/contract';

declare global {
  /**
   * Actions of your own institutions, for types. Augment it anywhere:
   * `declare global { interface ChangguActions { 'my_bank.loans.list': { params: …; result: … } } }`
   * @see docs/specification/institutions.md#d149
   */
  interface ChangguActions {}
}

/** Ids with completion; any other string is taken as well. */
export type ActionId = keyof ActionMap | keyof ChangguActions | (string & {});

type Known<A extends string> = A extends keyof ActionMap
  ? ActionMap[A]
  : A extends keyof ChangguActions
    ? ChangguActions[A]
    : { params: Record<string, unknown>; result: Record<string, unknown>; encryptedFields: string };

type SelectingAccount<Actions> = {
  [Id in keyof Actions]: Actions[Id] extends { params: infer Params }
    ? 'bank_account_credential_id' extends keyof Params
      ? Id
      : never
    : never;
}[keyof Actions];

/** Ids of the actions that select a bank account, with completion; any other string is taken as well. */
export type AccountActionId = SelectingAccount<ActionMap & ChangguActions> | (string & {});

/** Params of an action, as they stand on the wire. */
export type ActionParams<A extends string> =
  Known<A> extends { params: infer Params } ? Params : Record<string, unknown>;

/** `result.data` of an action outside sandbox, as on the wire. */
export type ActionData<A extends string> =
  Known<A> extends { result: infer Result } ? Result : Record<string, unknown>;

/** Names that an action takes encrypted. */
export type SecretName<A extends string> =
  Known<A> extends { encryptedFields: infer Names } ? Names & string : string;
