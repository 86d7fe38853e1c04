import type { Origin } from '../rules/principals/actor.ts';
import { type ClientPrincipal, principalKey } from '../rules/principals/principal.ts';
import type { Submitter } from '../rules/submission/submission.ts';

/** The client as the submitter of its jobs. */
export function submitterOf(principal: ClientPrincipal, origin: Origin): Submitter {
  return { ...principal, name: principalKey(principal), origin };
}
