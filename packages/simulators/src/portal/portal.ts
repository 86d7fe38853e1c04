import type { Site } from '../providers.ts';
import type { Charset } from './charset.ts';
import type { Condition } from './condition.ts';
import type { Html } from './html.ts';
import type { RequestLog } from './request-log.ts';
import type { Sessions } from './sessions.ts';
import type { SessionReason } from './stop.ts';
import type { Reply, Visit } from './visit.ts';

export interface Route {
  method: 'GET' | 'POST';
  path: string;
  handle: (visit: Visit) => Reply | Promise<Reply>;
  /** False for the few POSTs no browser form makes. */
  checksToken?: false;
}

/** How a portal's pages look; each differs as the real ones do. */
export interface Look {
  name: string;
  /** Name of the hidden CSRF field. */
  tokenField: string;
  cookie: string;
  charset: (path: string) => Charset;
  /** Content-Type of pages; bank_c leaves the charset to the meta element. */
  contentType: (charset: Charset) => string;
  message: (text: string, code: string) => Html;
  /** The form in the header of every page that a logged-in person sees. */
  logout?: { form: string; action: string };
  /** Where a missing session is explained; without it the page itself explains. */
  sessionPage?: (reason: SessionReason) => string;
}

/** One institution's portal, freshly started: its pages and everything it remembers. */
export interface Portal {
  provider: Site;
  look: Look;
  routes: readonly Route[];
  sessions: Sessions;
  log: RequestLog;
  condition: Condition;
}

/** A portal before its look and pages are there. */
export type PortalBase = Omit<Portal, 'look' | 'routes'>;

export function get(path: string, handle: Route['handle']): Route {
  return { method: 'GET', path, handle };
}

export function post(path: string, handle: Route['handle']): Route {
  return { method: 'POST', path, handle };
}
