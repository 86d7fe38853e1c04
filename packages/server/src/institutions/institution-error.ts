import type { ErrorCode } from '@changgu/contract';
import type { PortalMeaning } from './meaning/portal-meaning.ts';

export interface InstitutionErrorDetails {
  /** Korean: the institution's message without personal data. Defaults to the error table's text. */
  readonly message?: string;
  /** HTTP status of the institution's response. */
  readonly upstreamStatus?: number;
  /** The institution's own code, as `<provider>:<code>`. */
  readonly providerErrorRef?: string;
  /** How the portal's sentence was interpreted; absent when there was none. */
  readonly meaning?: PortalMeaning;
  /** Whether the same request may work a second later. Default: yes for PROVIDER_UPSTREAM_ERROR only. */
  readonly transient?: boolean;
  /** Whether a later job may succeed. Default: as the error table says. Never for an irreversible action. */
  readonly retryable?: boolean;
  /**
   * The institution said that nothing took effect. Only then does an error after the point of no return keep its
   * code; any other becomes PROVIDER_OUTCOME_UNCONFIRMED.
   */
  readonly refused?: boolean;
  /**
   * The credential that was rejected or locked, and is suspended for it. Default: the bank
   * account if the call selects one, otherwise the link.
   */
  readonly credential?: 'link' | 'bank_account';
  /**
   * The institution asked not to be contacted for so many milliseconds (`Retry-After`). The link's next job waits
   * that long (at most an hour), and jobs of other links at the institution up to ten minutes.
   */
  readonly leaveAloneMs?: number;
  readonly cause?: unknown;
}

/** A custom connector may bring its own copy of this class. */
const BRAND = Symbol.for('@changgu/server:InstitutionError');

/** The failure of a connector: a code of the error table, and the institution's message. */
export class InstitutionError extends Error {
  static override [Symbol.hasInstance](value: unknown): value is InstitutionError {
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  readonly [BRAND] = true;
  override readonly name = 'InstitutionError';
  readonly code: ErrorCode;
  readonly details: InstitutionErrorDetails;

  constructor(code: ErrorCode, details: InstitutionErrorDetails = {}) {
    super(code, { cause: details.cause });
    this.code = code;
    this.details = details;
  }

  get transient(): boolean {
    return this.details.transient ?? this.code === 'PROVIDER_UPSTREAM_ERROR';
  }
}
