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

/** What the process of a run is told. */
export type ToRun =
  | { readonly kind: 'start'; readonly connectorCase: Omit<ConnectorCase, 'effects'> }
  | { readonly kind: 'pass' }
  | { readonly kind: 'refuse' }
  | { readonly kind: 'stop' };

/** What it tells. */
export type FromRun =
  | { readonly kind: 'request' }
  | { readonly kind: 'answer' }
  | { readonly kind: 'progress'; readonly message: string }
  | { readonly kind: 'point' }
  | {
      readonly kind: 'done';
      readonly data: JsonObject | null;
      readonly violations: readonly string[];
      readonly irreversible: boolean;
    }
  | { readonly kind: 'failed'; readonly error: string; readonly typed: boolean };
