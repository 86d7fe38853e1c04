/** Whom a passkey belongs to: a domain, and the pages that may ask for a signature. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

const ADDRESS = /^(\d+\.){3}\d+$|^\[/;
const LOOPBACK = /^(127(\.\d+){3}|\[::1\])$/;

/**
 * Of the address of a server, or null where passkeys cannot work: browsers take a domain name only, over HTTPS or
 * on the same machine. A developer's own machine is `localhost`, however it is called.
 */
export function relyingPartyOf(publicBaseUrl: string): RelyingParty | null {
  const url = new URL(publicBaseUrl);
  if (LOOPBACK.test(url.hostname)) url.hostname = 'localhost';
  const { hostname, protocol, origin } = url;
  if (ADDRESS.test(hostname)) return null;
  return protocol === 'https:' || hostname === 'localhost' ? { id: hostname, origin } : null;
}
