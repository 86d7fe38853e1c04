import type { EnvScope } from '@changgu/contract';
import type { CatalogueAction, CatalogueInstitution } from '@changgu/contract/catalogue';
import type { OwnerKind } from '../rules/links/owner-kind.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The environments in which an institution is contacted. */
export type RealScope = Exclude<EnvScope, 'sandbox'>;

/** A link's credential, decrypted for this call only. */
export type Credential =
  | {
      readonly type: 'certificate';
      readonly certificateDer: Uint8Array;
      /** SHA256withRSA over a portal's challenge, with the linked key. */
      sign(challenge: Uint8Array): Promise<Uint8Array>;
      /** The 20 bytes R of the virtual id, if the key carries them. */
      readonly randomVid: Uint8Array | null;
    }
  | { readonly type: 'id_password'; readonly loginId: string; readonly loginPassword: string }
  | {
      readonly type: 'consent';
      /** The institution's answer to the code: `access_token` and the fields around it. */
      readonly authorization: JsonObject;
      /** Refreshes expired tokens and stores them for later calls; null when the consent has ended. */
      readonly renew: () => Promise<JsonObject | null>;
    };

export interface CallLink {
  readonly id: string;
  readonly credential: Credential;
  readonly ownerKind: OwnerKind | null;
  readonly businessNumber: string | null;
  /** What the user selected for this link. */
  readonly selectedAssets: JsonObject | null;
}

export interface CallAccount {
  readonly id: string;
  readonly accountNumber: string;
  readonly accountPassword: string;
  readonly maskedAccountNumber: string;
}

/** The login session of this link and environment; sealed at rest, deleted after 20 idle minutes. */
export interface PortalSession {
  /** Null when there is none, or no longer one. */
  load(): Promise<JsonObject | null>;
  /** @throws InstitutionError AUTH_REQUIRED without a session, PROVIDER_SESSION_EXPIRED for an expired one */
  require(): Promise<JsonObject>;
  save(state: JsonObject): Promise<void>;
  clear(): Promise<void>;
}

/** Form fields; a name that occurs more than once has a list. */
export type FormFields = Readonly<Record<string, string | readonly string[]>>;

/** One part of a multipart/form-data body: a field, or a file if it has a file name. */
export interface PortalPart {
  readonly name: string;
  readonly value: string | Uint8Array;
  readonly fileName?: string;
  readonly contentType?: string;
}

export interface PortalRequest {
  readonly method?: 'GET' | 'POST';
  /** A path below the institution's base URL, or a full address there; other origins are refused. */
  readonly path: string;
  readonly query?: FormFields;
  /** Sent as application/x-www-form-urlencoded. */
  readonly form?: FormFields;
  /** Sent as multipart/form-data. */
  readonly multipart?: readonly PortalPart[];
  readonly json?: unknown;
  /** Any other body, sent unchanged: XML, or what a page's script has encrypted. */
  readonly body?: { readonly content: string | Uint8Array; readonly contentType: string };
  /** The charset of query, form and multipart; portals expect the charset of the page. Default: UTF-8. */
  readonly charset?: 'utf-8' | 'euc-kr';
  /** `referer` and `origin` are sent as a browser would, unless given here. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PortalResponse {
  readonly status: number;
  /** The final address after redirects within the institution. */
  readonly url: string;
  readonly contentType: string | null;
  readonly header: (name: string) => string | null;
  /** The origins that belong to the institution; default: that of `url`. */
  readonly origins?: readonly string[];
  readonly bytes: Uint8Array;
  /** Decoded with the charset that the response names. */
  readonly text: () => string;
}

/** An HTTP client for one institution with its own cookie jar; aborted by the call's signal. */
export interface PortalClient {
  /** @throws InstitutionError PROVIDER_UPSTREAM_ERROR when there is no usable response */
  request(request: PortalRequest): Promise<PortalResponse>;
  /** The cookie jar, for storing in the portal session. */
  readonly cookies: () => JsonObject;
}

export interface NewFile {
  readonly bytes: Uint8Array | AsyncIterable<Uint8Array>;
  readonly contentType: string;
  /** Without the dot. */
  readonly extension: string;
  /** Tells several files of a job apart; its first 32 characters follow the date in the name. */
  readonly qualifier?: string;
}

/** Everything that one call may use. Connectors do not import the store and keep no state between calls. */
export interface Call {
  readonly action: CatalogueAction;
  readonly envScope: RealScope;
  /** As sent; results echo these only. */
  readonly params: JsonObject;
  /** Business time at which the job was accepted. Defaults that depend on today take the day from here. */
  readonly submittedAt: number;
  /** Decrypted encrypted_fields, by the names that the action declares. Must never be part of a result. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Null only for actions that need none. */
  readonly link: CallLink | null;
  /** Set when the action selects an account. */
  readonly account: CallAccount | null;
  readonly session: PortalSession;
  /** A new client, or one that continues with a session's cookies. */
  openPortal(cookies?: JsonObject): PortalClient;
  /**
   * Wraps the request that carries a credential (password, account password or signature) and the reading of
   * its answer. It can run again only after it has succeeded, so that no credential is sent twice after an
   * answer that could not be understood. When it throws, let the error pass.
   */
  presentCredential<Result>(send: () => Promise<Result>): Promise<Result>;
  /**
   * Step `step` of `steps` begins: one polite line in Korean without personal data. Readers of English see
   * the sentences of our own connectors in English.
   */
  progress(step: number, steps: number, message: string): void;
  /**
   * Irreversible actions await it right before the request that may take effect. When it
   * throws, the request must not be sent: let the error pass.
   */
  pointOfNoReturn(): Promise<void>;
  /** Aborted at the deadline, on cancellation and when another worker takes the job over. */
  readonly signal: AbortSignal;
  readonly artifacts: { add(file: NewFile): Promise<void> };
  /**
   * Milliseconds until the job must have ended. A read that cannot finish in time returns the part
   * that it has read, where its result can express that.
   */
  timeLeft(): number;
  readonly clock: {
    /** Business time in milliseconds. */
    now(): Promise<number>;
    /** Waits, for example between requests to a rate-limited portal; ends with the signal. */
    pause(ms: number): Promise<void>;
  };
}

/**
 * Performs one action and returns `result.data`.
 * @throws InstitutionError for any failure at the institution
 */
export type Connector = (call: Call) => Promise<JsonObject | null>;

/** TLS options for outdated servers. */
export interface PortalTls {
  /** For servers without secure renegotiation (OpenSSL's SSL_OP_LEGACY_SERVER_CONNECT). */
  readonly legacyServerConnect?: boolean;
  readonly minVersion?: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';
  /** An OpenSSL cipher list such as `DEFAULT@SECLEVEL=0`. */
  readonly ciphers?: string;
  /** Additional trusted authorities, in PEM: for a server that sends an incomplete chain. */
  readonly ca?: readonly string[];
}

/** The particulars of an institution's web site besides its pages. */
export interface InstitutionSite {
  /**
   * Further origins of the institution, such as its single sign-on, for the configured address. Requests to
   * any other origin are refused.
   */
  readonly origins?: (baseUrl: string) => readonly string[];
  /** Sent with every request, such as a user agent that the portal requires. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly tls?: PortalTls;
  /** How long the portal keeps a login without requests. Default: 20 minutes. */
  readonly sessionIdleMs?: number;
}

export interface InstitutionModule {
  readonly provider: string;
  readonly site?: InstitutionSite;
  /** Its catalog entry; absent for the institutions that the contract defines. */
  readonly definition?: CatalogueInstitution;
  /** One function per action id. */
  readonly connectors: Readonly<Record<string, Connector>>;
}

/**
 * The implementation of actions that the catalog already defines.
 * @throws TypeError when an action belongs to another provider
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
