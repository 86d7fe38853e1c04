import { expect, it } from 'vitest';
import { type RecheckDependencies, recheckVouchedSessions } from './recheck.ts';

const session = (sessionId: string) => ({
  sessionId,
  provider: 'acme',
  tokens: new Uint8Array(),
});

/** Twenty sessions are due, again and again; each is renewed. */
function endless(parts: { open?: (id: string) => void; claimed?: () => void }) {
  const renewed: string[] = [];
  const tokens = { subject: 's', idToken: null, refreshToken: null, accessToken: 'a' };
  const dependencies = {
    store: {
      vouchedSessions: {
        claimDue: async () => {
          parts.claimed?.();
          return Array.from({ length: 20 }, (_, n) => session(`s${n}`));
        },
        renew: async ({ sessionId }: { readonly sessionId: string }) => renewed.push(sessionId),
      },
    },
    vault: {
      open: async (_scope: string, place: object) => {
        parts.open?.(JSON.stringify(place));
        return Buffer.from(JSON.stringify(tokens));
      },
      seal: async () => new Uint8Array(),
    },
    clients: new Map([['acme', { recheck: async () => ({ verdict: 'vouched', tokens }) }]]),
    // Only what this work calls, and of its answers only what it reads.
  } as unknown as RecheckDependencies;
  return { dependencies, renewed };
}

it('stops between two batches when it is told to, because each may wait for a provider that is down', async () => {
  const stop = new AbortController();
  const { dependencies, renewed } = endless({ claimed: () => stop.abort() });
  await recheckVouchedSessions(dependencies, stop.signal);
  expect(renewed).toHaveLength(20);
});

it('asks about all other sessions when one cannot be checked', async () => {
  const stop = new AbortController();
  const { dependencies, renewed } = endless({
    claimed: () => stop.abort(),
    open: (place) => {
      if (place.includes('"s3"')) throw new Error('sealed by another key');
    },
  });
  await expect(recheckVouchedSessions(dependencies, stop.signal)).rejects.toMatchObject({
    failures: [{ part: 'session s3' }],
  });
  expect(renewed).toHaveLength(19);
});
