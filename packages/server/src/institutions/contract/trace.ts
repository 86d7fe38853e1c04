import type { CallAccount, CallLink, JsonObject } from '../connector.ts';

/** One request of a run and what the portal answered, without secrets. */
export interface Exchange {
  readonly method: 'GET' | 'POST';
  /** Without origin and query, as the connector gave it. */
  readonly path: string;
  /** Names and values of query, form and parts; values of a credential's request are left out. */
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  readonly status: number;
  readonly url: string;
  readonly contentType: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: a file, whose bytes are not recorded. */
  readonly text: string | null;
}

export type TraceEnd =
  | { readonly kind: 'done'; readonly data: JsonObject | null }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/** A run of a connector that can be given away: to report and to mend a change of the portal. */
export interface Trace {
  readonly version: 1;
  readonly actions: readonly string[];
  readonly origins: readonly string[];
  /** Business time of the run, in milliseconds. */
  readonly now: number;
  readonly params: JsonObject;
  readonly secrets: Readonly<Record<string, string>>;
  readonly link: (Omit<CallLink, 'credential'> & { readonly credential: TraceCredential }) | null;
  readonly account: CallAccount | null;
  readonly exchanges: readonly Exchange[];
  readonly end: TraceEnd;
}

/** What stands for the credential: values of the same form. */
export type TraceCredential =
  | { readonly type: 'id_password'; readonly loginId: string; readonly loginPassword: string }
  | { readonly type: 'certificate' }
  | { readonly type: 'consent'; readonly authorization: JsonObject };

/** Kept of a response; cookies and the rest are not. */
export const KEPT_HEADERS = ['content-disposition', 'retry-after'];
