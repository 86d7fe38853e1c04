const HIDDEN = '[redacted]';

const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
]);

/** Headers for a log line, with credentials hidden. */
export function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRET_HEADERS.has(name.toLowerCase()) ? HIDDEN : value,
    ]),
  );
}

/** A URL for a log line or message: signatures are in the query, passwords before the host. */
export function redactUrl(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return HIDDEN;
  return `${parsed.protocol}//${parsed.host}${parsed.pathname}${parsed.search ? `?${HIDDEN}` : ''}`;
}

/** Text from other code (causes, transports): URLs lose their query, credentials their value. */
export function redactText(text: string): string {
  return text
    .replaceAll(/https?:\/\/[^\s"'<>]+/g, redactUrl)
    .replaceAll(/\b(Basic|Bearer)\s+[\w.~+/=-]+/gi, `$1 ${HIDDEN}`);
}
