import { Agent, fetch } from 'undici';
import { isPrivateHost, publicLookup } from '../institutions/portal/address-guard.ts';

const TIMEOUT_MS = 2_500;

/** Bytes that the library reads of each document that a client publishes. Its own defaults bound only the first. */
export const DOCUMENT_LIMITS = {
  'client_id metadata document': 5 * 1024,
  jwks_uri: 64 * 1024,
  sector_identifier_uri: 5 * 1024,
};

/** Fetches the metadata documents that clients publish. */
export interface DocumentFetch {
  fetch(address: string | URL | Request): Promise<Response>;
  close(): Promise<void>;
}

/**
 * Anyone can make the server fetch an address, so it fetches public ones only and follows no redirects. The
 * address is checked when the connection is made, so that a name cannot change in between. What comes compressed is
 * refused, because a few kilobytes can stand for gigabytes.
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
        headers: { accept: 'application/json', 'accept-encoding': 'identity' },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const coding = answer.headers.get('content-encoding') ?? 'identity';
      if (coding !== 'identity') {
        await answer.body?.cancel();
        throw new Error(`${hostname} sent a content-encoding that was not accepted`);
      }
      // The same class under another name: undici's own and Node's.
      return answer as unknown as Response;
    },
    close: () => agent.close(),
  };
}
