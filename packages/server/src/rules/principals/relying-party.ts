import { isLoopback } from '@changgu/contract';

/** The owner of a passkey: a domain, and the pages that may ask for a signature. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

const ADDRESS = /^(\d+\.){3}\d+$|^\[/;

/**
 * Derived from a server's address; null where passkeys cannot work: browsers require a domain name, over HTTPS or
 * on the same machine. On a developer's machine it is always `localhost`.
 */
export function relyingPartyOf(publicBaseUrl: string): RelyingParty | null {
  const url = new URL(publicBaseUrl);
  if (isLoopback(url.hostname)) url.hostname = 'localhost';
  const { hostname, protocol, origin } = url;
  if (ADDRESS.test(hostname)) return null;
  return protocol === 'https:' || hostname === 'localhost' ? { id: hostname, origin } : null;
}
