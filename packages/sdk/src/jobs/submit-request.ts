import type {
  ActionId,
  ActionParams,
  GivenParams,
  SecretName,
  SpelledAction,
} from './action-types.ts';

interface SubmitBase<A extends string> {
  /** Action id, e.g. `bank_a.accounts.list`. */
  readonly action: SpelledAction<A>;
  /** Institution id. @default the first segment of the action */
  readonly provider?: string | undefined;
  /** The link to use. @default the primary one, or the only one */
  readonly accountLinkId?: string | undefined;
  /** Plain values, encrypted before they leave this process. */
  readonly secrets?: ByName<SecretName<A>, string | Uint8Array> | undefined;
  /** Values encrypted elsewhere, for example by a page with `@changgu/sdk/encrypt`. */
  readonly encryptedFields?: ByName<SecretName<A>, string> | undefined;
  /** 1 to 128 ASCII characters, no customer data. @default a UUID v4, created once per call */
  readonly idempotencyKey?: string | undefined;
  /** Sandbox only: the outcome to simulate, for example `FAILED;code=PROVIDER_UPSTREAM_ERROR`. */
  readonly sandboxOutcome?: string | undefined;
}

/** Values by the names that an action declares; an action that declares none accepts none. */
type ByName<Name extends string, Value> = [Name] extends [never]
  ? Readonly<Record<string, never>>
  : { readonly [N in Name]?: Value };

type Params<A extends string> =
  Record<never, never> extends ActionParams<A>
    ? { readonly params?: GivenParams<A> | undefined }
    : { readonly params: GivenParams<A> };

/** One institution call. The action determines `params` and `secrets`. */
export type SubmitRequest<A extends ActionId = string> = SubmitBase<A> & Params<A>;
