import type { ActionMap } from '@changgu/contract';

declare global {
  /**
   * Actions of your own institutions, for types. Augment it anywhere:
   * `declare global { interface ChangguActions { 'my_bank.loans.list': { params: …; result: … } } }`
   * @see docs/specification/institutions.md#d149
   */
  interface ChangguActions {}
}

/** Ids of the built-in institutions, and of those of your own that are declared. */
type KnownActionId = keyof ActionMap | keyof ChangguActions;

/** Ids with completion; any other string is taken as well. */
export type ActionId = KnownActionId | (string & {});

/** Ids of one built-in institution: an error about another id of it names the nearest. */
type IdsOf<Provider extends string> = Extract<keyof ActionMap, `${Provider}.${string}`>;

/** An id as it may be written: of a built-in institution, only one that exists. */
export type SpelledAction<A extends string> = A extends KnownActionId
  ? A
  : A extends `${ActionMap[keyof ActionMap]['provider']}.${string}`
    ? A extends `${infer Provider}.${string}`
      ? IdsOf<Provider>
      : never
    : A;

type Known<A extends string> = A extends keyof ActionMap
  ? ActionMap[A]
  : A extends keyof ChangguActions
    ? ChangguActions[A]
    : { params: Record<string, unknown>; result: Record<string, unknown>; encryptedFields: string };

type SelectingAccount<Actions> = {
  [Id in keyof Actions]: Actions[Id] extends { params: infer Params }
    ? string extends keyof Params
      ? never
      : 'bank_account_credential_id' extends keyof Params
        ? Id
        : never
    : never;
}[keyof Actions];

type KnownAccountActionId = SelectingAccount<ActionMap & ChangguActions>;

/** Ids of the actions that select a bank account, with completion; any other string is taken as well. */
export type AccountActionId = KnownAccountActionId | (string & {});

/** An id as `allAccounts` takes it: of the known ones, only those that select an account. */
export type SpelledAccountAction<A extends string> = A extends KnownAccountActionId
  ? A
  : A extends KnownActionId | `${ActionMap[keyof ActionMap]['provider']}.${string}`
    ? KnownAccountActionId
    : A;

/** Params of an action, as they stand on the wire. */
export type ActionParams<A extends string> =
  Known<A> extends { params: infer Params } ? Params : Record<string, unknown>;

/** `result.data` of an action outside sandbox, as on the wire. */
export type ActionData<A extends string> =
  Known<A> extends { result: infer Result } ? Result : Record<string, unknown>;

/** Names that an action takes encrypted. */
export type SecretName<A extends string> =
  Known<A> extends { encryptedFields: infer Names } ? Names & string : string;
