/**
 * Scripts and styles from our own files only, no inline parts, no frames, no forms that post elsewhere.
 * Trusted Types keep any text from becoming markup.
 */
export const CONSOLE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    // The browser's own viewer for a job's file, whose bytes the page has read itself.
    'frame-src blob:',
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-frame-options': 'DENY',
  // The browser reveals our origin to ourselves and to no other site.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

/**
 * The page with the address of the console's folder relative to the requested one, so that it works below any
 * prefix that a proxy adds. `path` begins after `/console`.
 */
export function pageFor(page: string, path: string): string {
  const depth = path.split('/').length - 2;
  const base = path === '' ? 'console/' : `./${'../'.repeat(depth)}`;
  return page.replace('<head>', `<head><base href="${base}">`);
}
