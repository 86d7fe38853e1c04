/** Set on every answer. Our pages (the documentation, the consent return) set their own policy. */
export function securityHeaders(overHttps: boolean): Readonly<Record<string, string>> {
  return {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    ...(overHttps ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}
