/** The names for which native clients may use http and any port (RFC 8252); other addresses of loopback are none. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A browser would run or show these itself, and other programs send these on, over a network or to a person. */
const FOREIGN_SCHEMES: ReadonlySet<string> = new Set(
  'javascript vbscript data blob file about ftp sftp ws wss smb ldap ssh telnet mailto sms'
    .split(' ')
    .map((name) => `${name}:`),
);

export const SAFE_REDIRECTS =
  'https addresses, http addresses of localhost, 127.0.0.1 or [::1], or addresses with a scheme of your own';

/** Whether no one on the network can read an answer that is sent there (OAuth 2.1, RFC 8252). */
export function isSafeRedirect(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' ? isOwnMachine(hostname) : !FOREIGN_SCHEMES.has(protocol);
}

/** Whether a name or an address, as `URL.hostname` spells it, is one of those. */
export function isOwnMachine(hostname: string): boolean {
  return LOOPBACK.has(hostname);
}
