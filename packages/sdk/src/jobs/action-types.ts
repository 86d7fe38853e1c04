import type { ActionMap } from '@changgu/contract';

declare global {
  /**
   * The types of your custom institutions' actions. Augment it anywhere:
   * `declare global { interface ChangguActions { 'my_bank.loans.list': { params: …; result: … } } }`
   * @see docs/specification/institutions.md#d149
   */
  interface ChangguActions {}
}

/** Ids of the built-in institutions and of declared custom ones. */
type KnownActionId = keyof ActionMap | keyof ChangguActions;

/** Ids with completion; any other string is accepted too. */
export type ActionId = KnownActionId | (string & {});

/** Ids of one built-in institution, so that an error about an unknown id suggests the nearest. */
type IdsOf<Provider extends string> = Extract<keyof ActionMap, `${Provider}.${string}`>;

/** An id as written by the caller: of a built-in institution, only existing ones. */
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

/** Ids of the actions that select a bank account, with completion; any other string is accepted too. */
export type AccountActionId = KnownAccountActionId | (string & {});

/** An id that `allAccounts` accepts: of the known ones, only those that select an account. */
export type SpelledAccountAction<A extends string> = A extends KnownAccountActionId
  ? A
  : A extends KnownActionId | `${ActionMap[keyof ActionMap]['provider']}.${string}`
    ? KnownAccountActionId
    : A;

/** Params of an action, in wire format. */
export type ActionParams<A extends string> =
  Known<A> extends { params: infer Params } ? Params : Record<string, unknown>;

/** The same as they are given: as everywhere in this package, what may be missing may be undefined. */
export type GivenParams<A extends string, Left extends string = never> = OrUndefined<
  Without<ActionParams<A>, Left>
>;

/** Of each member of a union; Omit alone keeps only the keys that all of them share. */
type Without<T, Left extends string> = T extends unknown ? Omit<T, Left> : never;

type OrUndefined<T> = {
  [K in keyof T]: Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K];
};

/** `result.data` of an action outside sandbox, in wire format. */
export type ActionData<A extends string> =
  Known<A> extends { result: infer Result } ? Result : Record<string, unknown>;

/** Names that an action accepts encrypted. */
export type SecretName<A extends string> =
  Known<A> extends { encryptedFields: infer Names } ? Names & string : string;
