import type { Call, PortalClient } from './connector.ts';
import { InstitutionError } from './institution-error.ts';

/** The longest time that one request takes. */
const REQUEST_MS = 30_000;

/**
 * A client and a clock that spare the last `ms` of a job: they fail before a request or a wait that could use them up.
 * Once they have failed, no request follows, because an unfinished wait was the portal's wish.
 */
export function sparing(
  { clock, timeLeft }: Pick<Call, 'clock' | 'timeLeft'>,
  client: PortalClient,
  ms: number,
): { readonly client: PortalClient; readonly clock: Call['clock'] } {
  let isOver = false;

  function claim(waitMs: number): void {
    isOver ||= timeLeft() - waitMs < REQUEST_MS + ms;
    if (isOver) throw new InstitutionError('PROVIDER_UPSTREAM_ERROR', { transient: false });
  }

  return {
    client: {
      ...client,
      async request(request) {
        claim(0);
        return client.request(request);
      },
    },
    clock: {
      ...clock,
      async pause(waitMs) {
        claim(waitMs);
        return clock.pause(waitMs);
      },
    },
  };
}
