/** The names for which native clients may use http and any port (RFC 8252); other addresses of loopback are none. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whose answer reaches no program of the client's own. */
const FOREIGN_SCHEMES: ReadonlySet<string> = new Set(
  [
    // A browser runs or shows these itself.
    'javascript vbscript data blob filesystem file about view-source jar resource',
    'chrome chrome-untrusted devtools edge brave opera vivaldi',
    // Programs send these on, over a network or to a person.
    'ftp sftp ws wss smb ldap ssh telnet rdp vnc mailto sms tel callto facetime',
    // The system acts on these, or chooses the program itself.
    'search search-ms shell intent android-app market itms-apps app-settings prefs help',
  ]
    .flatMap((names) => names.split(' '))
    .map((name) => `${name}:`),
);
/** Of Windows and Office, and of macOS: settings, searches, documents. */
const OF_THE_SYSTEM = /^(ms-|x-apple)/;

export const SAFE_REDIRECTS =
  'https addresses, http addresses of localhost, 127.0.0.1 or [::1], or addresses with a scheme of your own';

/** Whether no one on the network can read an answer that is sent there (OAuth 2.1, RFC 8252). */
export function isSafeRedirect(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  if (protocol === 'http:') return isOwnMachine(hostname);
  return !FOREIGN_SCHEMES.has(protocol) && !OF_THE_SYSTEM.test(protocol);
}

/** Whether a name or an address, as `URL.hostname` spells it, is one of those. */
export function isOwnMachine(hostname: string): boolean {
  return LOOPBACK.has(hostname);
}
