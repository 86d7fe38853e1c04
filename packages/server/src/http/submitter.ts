import type { Submitter } from '../jobs/submission.ts';
import { type ClientPrincipal, principalKey } from '../principals/principal.ts';

/** The client as whoever submits its jobs. */
export function submitterOf(principal: ClientPrincipal): Submitter {
  return { ...principal, name: principalKey(principal) };
}
