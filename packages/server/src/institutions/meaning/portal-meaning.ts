import type { ErrorCode } from '@changgu/contract';

/** The meaning of a sentence that a portal shows instead of the requested page. */
export type PortalMeaning =
  | 'wrong_credential'
  | 'unusable_certificate'
  | 'not_a_member'
  | 'locked'
  /** The owner has to act at the portal first: change the password, register the device. */
  | 'owner_must_act'
  | 'session_over'
  | 'already_logged_in'
  | 'maintenance'
  | 'throttled'
  | 'unavailable'
  | 'page_expired'
  | 'page_missing'
  /** The portal wants letters typed that only a person can read. */
  | 'captcha'
  | 'rejected_input'
  | 'nothing_found';

/**
 * What had been sent when the portal answered: `login`, a request that carried a credential;
 * `committed`, a request after the point of no return; `inquiry`, any other.
 */
export type PortalPhase = 'login' | 'inquiry' | 'committed';

/** How a job fails for a meaning. */
export interface Verdict {
  readonly code: ErrorCode;
  /** Whether the same request may work a second later. */
  readonly transient: boolean;
  /** Only the portal's own sentence tells the caller what to do. */
  readonly quoted: boolean;
}

interface Entry {
  readonly login: ErrorCode;
  readonly inquiry: ErrorCode;
  readonly transient?: true;
  readonly quoted?: true;
}

const UPSTREAM = 'PROVIDER_UPSTREAM_ERROR' satisfies ErrorCode;
const REJECTED = 'PROVIDER_CREDENTIAL_REJECTED' satisfies ErrorCode;
const INVALID = 'PROVIDER_VALIDATION_ERROR' satisfies ErrorCode;
const SESSION = 'PROVIDER_SESSION_EXPIRED' satisfies ErrorCode;
const LOCKED = 'PROVIDER_ACCOUNT_LOCKED' satisfies ErrorCode;
const CLOSED = 'PROVIDER_MAINTENANCE' satisfies ErrorCode;

const VERDICTS: Readonly<Record<PortalMeaning, Entry>> = {
  // When no credential was sent, the sentence is about a value of the inquiry.
  wrong_credential: { login: REJECTED, inquiry: INVALID, quoted: true },
  // The next login will say what is wrong with it, and suspend the link.
  unusable_certificate: { login: REJECTED, inquiry: 'PROVIDER_AUTH_FAILED', quoted: true },
  not_a_member: { login: REJECTED, inquiry: INVALID, quoted: true },
  // A lock of the credential shows at the next login. Until then nothing is suspended for a sentence on a page.
  locked: { login: LOCKED, inquiry: INVALID, quoted: true },
  owner_must_act: { login: REJECTED, inquiry: INVALID, quoted: true },
  session_over: { login: SESSION, inquiry: SESSION },
  already_logged_in: { login: UPSTREAM, inquiry: SESSION, quoted: true },
  maintenance: { login: CLOSED, inquiry: CLOSED },
  throttled: { login: UPSTREAM, inquiry: UPSTREAM, quoted: true },
  unavailable: { login: UPSTREAM, inquiry: UPSTREAM, transient: true },
  page_expired: { login: UPSTREAM, inquiry: UPSTREAM, transient: true },
  page_missing: { login: UPSTREAM, inquiry: UPSTREAM },
  captcha: { login: UPSTREAM, inquiry: UPSTREAM, quoted: true },
  rejected_input: { login: INVALID, inquiry: INVALID, quoted: true },
  nothing_found: { login: INVALID, inquiry: INVALID, quoted: true },
};

/**
 * The verdict on a sentence; null for an unknown one. After the point of no return only a refusal that the
 * face declares counts, so every meaning here leaves the outcome open.
 */
export function verdictOn(meaning: PortalMeaning | null, phase: PortalPhase): Verdict {
  if (phase === 'committed') {
    return { code: 'PROVIDER_OUTCOME_UNCONFIRMED', transient: false, quoted: false };
  }
  if (meaning === null) return { code: UPSTREAM, transient: false, quoted: true };
  const { transient = false, quoted = false, ...codes } = VERDICTS[meaning];
  // A retry must never send a credential again.
  return { code: codes[phase], transient: transient && phase !== 'login', quoted };
}
