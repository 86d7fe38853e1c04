import type { CallLink, JsonObject } from '../connector.ts';

/** A credential as a file of test data holds it. */
export type CaseCredential =
  | { readonly type: 'id_password'; readonly loginId: string; readonly loginPassword: string }
  | {
      readonly type: 'certificate';
      /** DER or PEM, in base64. */
      readonly certificate: string;
      /** Encrypted PKCS#8, in base64. */
      readonly encryptedKey: string;
      readonly password: string;
    }
  | { readonly type: 'consent'; readonly authorization: JsonObject };

/** One action of a connector module, and a portal to try it on. */
export interface ConnectorCase {
  /** Path of the module that CHANGGU_CONNECTORS would name. */
  readonly module: string;
  readonly action: string;
  /** A test portal: the suite really calls it. */
  readonly baseUrl: string;
  readonly params?: JsonObject;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly link?: { readonly credential: CaseCredential } & Partial<
    Pick<CallLink, 'businessNumber' | 'ownerKind' | 'selectedAssets'>
  >;
  readonly account?: { readonly accountNumber: string; readonly accountPassword: string };
  /** Actions to perform before, with the same session: the login. */
  readonly before?: readonly string[];
  /**
   * Irreversible actions: how often the action has taken effect at the portal so far. The suite
   * kills the connector before and after its point of no return and counts.
   */
  readonly effects?: () => Promise<number>;
}

/** What can be written to a file, or handed to another process. */
export type PlainCase = Omit<ConnectorCase, 'effects'>;

/** Something that goes wrong at the portal, or in what it is sent. */
export interface Scene {
  readonly fault:
    | 'wrong_password'
    | 'unknown_page'
    | 'no_cookies'
    | 'no_answer'
    | 'broken_page'
    | 'wrong_charset';
  /** Which request of the action it strikes, from 1. */
  readonly at: number;
}

/** What the process of a run is told. */
export type ToRun =
  | {
      readonly kind: 'start';
      readonly connectorCase: PlainCase;
      /** Each is run after the other, and its points of no return pass; without any, one plain run. */
      readonly scenes?: readonly (Scene | null)[];
    }
  | { readonly kind: 'pass' }
  | { readonly kind: 'refuse' }
  | { readonly kind: 'stop' };

/** What it tells. */
export type FromRun =
  /** `stopped`: it was told to stop before it asked. */
  | { readonly kind: 'request'; readonly stopped: boolean }
  | { readonly kind: 'answer' }
  | { readonly kind: 'progress'; readonly message: string }
  | { readonly kind: 'point' }
  | ({
      readonly kind: 'done';
      readonly data: JsonObject | null;
      readonly violations: readonly string[];
      readonly irreversible: boolean;
    } & RunFacts)
  | ({
      readonly kind: 'failed';
      readonly error: string;
      /** Of an InstitutionError; null for any other. */
      readonly code: string | null;
    } & RunFacts);

export interface RunFacts {
  readonly requests: number;
  /** The requests that carried a credential, from 1. */
  readonly credentialAt: readonly number[];
  /** Where a secret was shown: result, progress, error or file. */
  readonly leaks: readonly string[];
}
