const MAX_NAME = 80;

/** A client's name as shown to people: the client chose it, so it is kept short and on one line. */
export function shownName(client: {
  readonly clientName?: string | undefined;
  readonly clientId: string;
}): string {
  const plain = (client.clientName ?? '').replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return Array.from(plain === '' ? client.clientId : plain)
    .slice(0, MAX_NAME)
    .join('');
}

/** Where the answer is sent: the only verified fact about a client. Null for a device without a browser. */
export function redirectHostOf(redirectUri: unknown): string | null {
  if (typeof redirectUri !== 'string' || !URL.canParse(redirectUri)) return null;
  const { protocol, host } = new URL(redirectUri);
  return ['http:', 'https:'].includes(protocol) ? host : protocol;
}
