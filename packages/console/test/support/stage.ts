import type { Browser } from 'playwright-core';
import type { DevServer } from './dev-server.ts';
import type { Visit } from './open-browser.ts';

/** What all tests share: one server, one browser, and its owner signed in. Filled before the first test. */
export interface Stage {
  browser: Browser;
  server: DevServer;
  owner: Visit;
  /** Another owner of the same organization: what ends the sessions of the first leaves these alone. */
  colleague: { readonly email: string; readonly password: string };
}

/** Text that does harm wherever it becomes markup, an address or a format. */
export const XSS = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  'javascript:alert(1)',
  "'-alert(1)-'",
  '{{constructor.constructor("alert(1)")()}}',
  '<svg/onload=alert(1)>',
].join(' ');
