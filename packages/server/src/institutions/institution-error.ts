import type { ErrorCode } from '@changgu/contract';
import type { PortalMeaning } from './meaning/portal-meaning.ts';

export interface InstitutionErrorDetails {
  /** Korean; what the institution said, without personal data. The table's text when absent. */
  readonly message?: string;
  /** HTTP status that the institution answered with. */
  readonly upstreamStatus?: number;
  /** The institution's own code, as `<provider>:<code>` (D57). */
  readonly providerErrorRef?: string;
  /** What the portal's sentence was read as; absent where no sentence was. */
  readonly meaning?: PortalMeaning;
  /** Might the same request work in a second? Default: yes for PROVIDER_UPSTREAM_ERROR only (D02). */
  readonly transient?: boolean;
  /**
   * The institution said that nothing took effect. Only so does an error after the point of no
   * return keep its code; any other becomes PROVIDER_OUTCOME_UNCONFIRMED.
   */
  readonly refused?: boolean;
  /**
   * Which credential was rejected or locked, and is suspended for it (D51). Default: the bank
   * account where the call selects one, else the link.
   */
  readonly credential?: 'link' | 'bank_account';
  readonly cause?: unknown;
}

/** A team's connectors may come with a copy of this class of their own. */
const BRAND = Symbol.for('@changgu/server:InstitutionError');

/** How a connector fails: a code of the error table, and what the institution said about it. */
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
