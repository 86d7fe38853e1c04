import type { EnvScope } from '@changgu/contract';
import type { CatalogueAction, CatalogueInstitution } from '@changgu/contract/catalogue';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The environments in which an institution is contacted. */
export type RealScope = Exclude<EnvScope, 'sandbox'>;

/** The credential behind a link, opened for this call only. */
export type Credential =
  | {
      readonly type: 'certificate';
      readonly certificateDer: Uint8Array;
      /** SHA256withRSA over a portal's challenge, with the linked key. */
      sign(challenge: Uint8Array): Promise<Uint8Array>;
      /** The 20 bytes R of the virtual id, where the key carries them. */
      readonly randomVid: Uint8Array | null;
    }
  | { readonly type: 'id_password'; readonly loginId: string; readonly loginPassword: string }
  | {
      readonly type: 'consent';
      /** What the institution answered to the code: `access_token` and what belongs to it. */
      readonly authorization: JsonObject;
      /** New ones when these have run out, kept for later calls; null when the consent has ended. */
      readonly renew: () => Promise<JsonObject | null>;
    };

export interface CallLink {
  readonly id: string;
  readonly credential: Credential;
  readonly ownerKind: 'business' | 'individual' | null;
  readonly businessNumber: string | null;
  /** What the user selected for this link (D104). */
  readonly selectedAssets: JsonObject | null;
}

export interface CallAccount {
  readonly id: string;
  readonly accountNumber: string;
  readonly accountPassword: string;
  readonly maskedAccountNumber: string;
}

/** The login session of this link and environment; sealed at rest, gone after 20 idle minutes (D80). */
export interface PortalSession {
  /** Null when there is none, or none any more. */
  load(): Promise<JsonObject | null>;
  /** @throws InstitutionError AUTH_REQUIRED without a session, PROVIDER_SESSION_EXPIRED with a stale one */
  require(): Promise<JsonObject>;
  save(state: JsonObject): Promise<void>;
  clear(): Promise<void>;
}

/** Fields of a form; a name that a form has more than once has a list. */
export type FormFields = Readonly<Record<string, string | readonly string[]>>;

/** One part of a multipart/form-data body: a field, or a file when it has a name. */
export interface PortalPart {
  readonly name: string;
  readonly value: string | Uint8Array;
  readonly fileName?: string;
  readonly contentType?: string;
}

export interface PortalRequest {
  readonly method?: 'GET' | 'POST';
  /** Below the institution's base URL, or a full address there; other origins are refused (D141). */
  readonly path: string;
  readonly query?: FormFields;
  /** Sent as application/x-www-form-urlencoded. */
  readonly form?: FormFields;
  /** Sent as multipart/form-data. */
  readonly multipart?: readonly PortalPart[];
  readonly json?: unknown;
  /** Any other body, as it is: XML, what a page's script has encrypted. */
  readonly body?: { readonly content: string | Uint8Array; readonly contentType: string };
  /** Of query, form and multipart; portals want them in the charset of the page. Default: UTF-8. */
  readonly charset?: 'utf-8' | 'euc-kr';
  /** `referer` and `origin` are sent as a browser would, unless they stand here. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PortalResponse {
  readonly status: number;
  /** After redirects within the institution. */
  readonly url: string;
  readonly contentType: string | null;
  readonly header: (name: string) => string | null;
  /** The origins that belong to the institution; default: the one of `url`. */
  readonly origins?: readonly string[];
  readonly bytes: Uint8Array;
  /** In the charset that the response names. */
  readonly text: () => string;
}

/** An HTTP client of one institution with its own cookie jar; it ends with the call's signal. */
export interface PortalClient {
  /** @throws InstitutionError PROVIDER_UPSTREAM_ERROR when there is no usable answer */
  request(request: PortalRequest): Promise<PortalResponse>;
  /** The cookie jar, to be kept in the portal session. */
  readonly cookies: () => JsonObject;
}

export interface NewFile {
  readonly bytes: Uint8Array | AsyncIterable<Uint8Array>;
  readonly contentType: string;
  /** Without the dot. */
  readonly extension: string;
  /** Told apart by it when a job makes several; follows the date in the name (D71). */
  readonly qualifier?: string;
}

/** Everything one call may use. Connectors import no store and keep nothing between calls. */
export interface Call {
  readonly action: CatalogueAction;
  readonly envScope: RealScope;
  /** As sent; what a result echoes is built from these only (D61). */
  readonly params: JsonObject;
  /** Decrypted encrypted_fields, by the names that the action declares. Never into a result. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Null only for actions that do without (D21). */
  readonly link: CallLink | null;
  /** Set when the action selects an account. */
  readonly account: CallAccount | null;
  readonly session: PortalSession;
  /** A fresh client, or one that continues with the cookies of a session. */
  openPortal(cookies?: JsonObject): PortalClient;
  /**
   * Wraps the request that carries a credential, and the reading of its answer: password, account
   * password or signature. It may run again only after it has succeeded, so that no credential is
   * sent twice on an answer that could not be read; when it throws, let the error pass.
   */
  presentCredential<Result>(send: () => Promise<Result>): Promise<Result>;
  /** Step `step` of `steps` begins; one polite line in Korean without personal data (D07, D08). */
  progress(step: number, steps: number, message: string): void;
  /**
   * Irreversible actions await it right before the request that may take effect (D03). When it
   * throws, the request must not be sent: let the error pass.
   */
  pointOfNoReturn(): Promise<void>;
  /** Aborted at the deadline, on cancellation and when the job is lost to another worker. */
  readonly signal: AbortSignal;
  readonly artifacts: { add(file: NewFile): Promise<void> };
  /**
   * Milliseconds until the job must have ended. A read that cannot finish until then gives the part
   * it has read, where its result can say so.
   */
  timeLeft(): number;
  readonly clock: {
    /** Business time in milliseconds (D133). */
    now(): Promise<number>;
    /** Waits, as between requests to a portal that wants to be left alone; ends with the signal. */
    pause(ms: number): Promise<void>;
  };
}

/**
 * Performs one action and answers `result.data`.
 * @throws InstitutionError for whatever the institution does not do
 */
export type Connector = (call: Call) => Promise<JsonObject | null>;

/** How TLS is spoken with a server that has not been renewed for long. */
export interface PortalTls {
  /** For servers without secure renegotiation (OpenSSL's SSL_OP_LEGACY_SERVER_CONNECT). */
  readonly legacyServerConnect?: boolean;
  readonly minVersion?: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';
  /** OpenSSL's list of ciphers, such as `DEFAULT@SECLEVEL=0`. */
  readonly ciphers?: string;
  /** Authorities to trust besides the usual ones, in PEM: for a server that sends half a chain. */
  readonly ca?: readonly string[];
}

/** What is particular to an institution's web site besides its pages. */
export interface InstitutionSite {
  /**
   * Further origins that belong to it, such as its single sign-on, for the address that was
   * configured. No other origin is ever asked.
   */
  readonly origins?: (baseUrl: string) => readonly string[];
  /** Sent with every request, such as the user agent that the portal insists on. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly tls?: PortalTls;
  /** The portal forgets a login after so long without a request. Default: 20 minutes. */
  readonly sessionIdleMs?: number;
}

export interface InstitutionModule {
  readonly provider: string;
  readonly site?: InstitutionSite;
  /** Its entry in the catalog; absent for the institutions that the contract defines (D149). */
  readonly definition?: CatalogueInstitution;
  /** One function per action id. */
  readonly connectors: Readonly<Record<string, Connector>>;
}

/**
 * How the actions of an institution are performed that the catalog knows already.
 * @throws TypeError when an action is of another provider
 */
export function defineConnectors(
  provider: string,
  connectors: Readonly<Record<string, Connector>>,
  site: InstitutionSite = {},
): InstitutionModule {
  const foreign = Object.keys(connectors).find((id) => !id.startsWith(`${provider}.`));
  if (foreign !== undefined) throw new TypeError(`${foreign} is not an action of ${provider}`);
  return { provider, site, connectors };
}
