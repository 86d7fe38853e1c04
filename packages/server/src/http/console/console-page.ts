/**
 * Scripts and styles of our own files and none in the page, no frame around it, no form that leaves it.
 * Nothing may turn text into markup either (Trusted Types).
 */
export const CONSOLE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    // A file of a job in the browser's own viewer: bytes that the page has read itself.
    'frame-src blob:',
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-frame-options': 'DENY',
  // The browser names our own origin to ourselves and to no one else.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

/**
 * The page with the address of the console's folder, seen from the one that was asked for: so it works below any
 * prefix that a proxy puts before it. `path` begins after `/console`.
 */
export function pageFor(page: string, path: string): string {
  const depth = path.split('/').length - 2;
  const base = path === '' ? 'console/' : `./${'../'.repeat(depth)}`;
  return page.replace('<head>', `<head><base href="${base}">`);
}
