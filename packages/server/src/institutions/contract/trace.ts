import type { CallAccount, CallLink, JsonObject } from '../connector.ts';
import type { FileFormat } from '../portal/bodies.ts';

/** One request of a run and the portal's answer, without secrets. */
export interface Exchange {
  readonly method: 'GET' | 'POST';
  /** Without origin and query, as the connector specified it. */
  readonly path: string;
  /** Names and values of query, form and parts; values of a request with a credential are left out. */
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  readonly status: number;
  readonly url: string;
  readonly contentType: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Null for a file, whose bytes are not recorded. */
  readonly text: string | null;
  /** The format of a whole file; null for anything else. */
  readonly file: FileFormat | null;
}

export type TraceEnd =
  | { readonly kind: 'done'; readonly data: JsonObject | null }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/** A shareable run of a connector, for reporting and fixing a portal's change. */
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

/** The replacement of the credential, in the same format. */
export type TraceCredential =
  | { readonly type: 'id_password'; readonly loginId: string; readonly loginPassword: string }
  | { readonly type: 'certificate' }
  | { readonly type: 'consent'; readonly authorization: JsonObject };

/** The recorded response headers; cookies and the rest are not. */
export const KEPT_HEADERS = ['content-disposition', 'retry-after'];
