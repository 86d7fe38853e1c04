import { Agent, fetch } from 'undici';
import { isPrivateHost, publicLookup } from '../institutions/portal/address-guard.ts';

const TIMEOUT_MS = 2_500;

/** Fetches the metadata documents that clients publish. */
export interface DocumentFetch {
  fetch(address: string | URL | Request): Promise<Response>;
  close(): Promise<void>;
}

/**
 * Anyone can make the server fetch an address, so it fetches public ones only and follows no redirects. The
 * address is checked when the connection is made, so that a name cannot change in between.
 */
export function createDocumentFetch(lookup = publicLookup): DocumentFetch {
  const agent = new Agent({
    connect: { lookup, timeout: TIMEOUT_MS },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  return {
    async fetch(address) {
      const { protocol, hostname, href } = new URL(
        address instanceof Request ? address.url : address,
      );
      if (protocol !== 'https:' || isPrivateHost(hostname)) {
        throw new Error(`${hostname} is not a public https address`);
      }
      const answer = await fetch(href, {
        dispatcher: agent,
        redirect: 'manual',
        headers: { accept: 'application/json' },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      // The same class under another name: undici's own and Node's.
      return answer as unknown as Response;
    },
    close: () => agent.close(),
  };
}
