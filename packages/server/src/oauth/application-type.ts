import { isOwnMachine } from './redirect-uris.ts';

/**
 * What the redirect addresses make of a client. A native client may use loopback on any port, and schemes of its own,
 * but no https on loopback: the library would refuse it each time. So https alone makes a web client, and null stands
 * for https on loopback beside others: as neither could it use them all with any port.
 */
export function applicationTypeOf(redirectUris: readonly string[]): 'web' | 'native' | null {
  const secure = redirectUris.map((address) => new URL(address)).filter(isHttps);
  if (secure.length === redirectUris.length) return 'web';
  return secure.some(({ hostname }) => isOwnMachine(hostname)) ? null : 'native';
}

function isHttps({ protocol }: URL): boolean {
  return protocol === 'https:';
}
