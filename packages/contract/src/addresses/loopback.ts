/** Whether a name or an address, as `URL.hostname` spells it, is the machine itself. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** The same of a host that may have a port, as `URL.host` and the header spell it. */
export function isLoopbackHost(host: string): boolean {
  return isLoopback(host.replace(/:\d+$/, ''));
}
