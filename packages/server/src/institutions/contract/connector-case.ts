import type { CallLink, JsonObject } from '../connector.ts';

/** A credential as stored in a test data file. */
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
  /** The path of the module, as in CHANGGU_CONNECTORS. */
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
  /** Actions to perform first, with the same session: the login. */
  readonly before?: readonly string[];
  /**
   * Irreversible actions: how often the action has taken effect at the portal so far. The suite
   * kills the connector before and after its point of no return and counts.
   */
  readonly effects?: () => Promise<number>;
}

/** What can be written to a file or passed to another process. */
export type PlainCase = Omit<ConnectorCase, 'effects'>;

/** A fault at the portal, or in what it is sent. */
export interface Scene {
  readonly fault:
    | 'wrong_password'
    | 'unknown_page'
    | 'no_cookies'
    | 'no_answer'
    | 'broken_page'
    | 'wrong_charset';
  /** The request of the action that it affects, from 1. */
  readonly at: number;
}

/** The input of a run's process, which ends when the suite disconnects. */
export type ToRun =
  | {
      readonly kind: 'start';
      readonly connectorCase: PlainCase;
      /** Run one after the other, passing their points of no return; without any, one plain run. */
      readonly scenes?: readonly (Scene | null)[];
    }
  | { readonly kind: 'pass' }
  | { readonly kind: 'refuse' }
  | { readonly kind: 'stop' };

/** The output of a run's process. */
export type FromRun =
  /** `stopped`: an earlier request had failed because of the stop. */
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
      /** The code of an InstitutionError; null for any other error. */
      readonly code: string | null;
    } & RunFacts);

export interface RunFacts {
  readonly requests: number;
  /** The requests that carried a credential, from 1. */
  readonly credentialAt: readonly number[];
  /** Those of them that nothing announced. */
  readonly unannouncedAt: readonly number[];
  /** The hash of each stored file. */
  readonly files: readonly string[];
  /** Where a secret was shown: result, progress, error or file. */
  readonly leaks: readonly string[];
}
