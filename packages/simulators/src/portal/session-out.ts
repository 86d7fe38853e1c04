import type { Html } from './html.ts';
import { html } from './html.ts';
import type { Route } from './portal.ts';
import { get } from './portal.ts';
import type { SessionReason } from './stop.ts';
import { refuse, SESSION_TEXT } from './stop.ts';

const TYPES: Record<SessionReason, string> = {
  none: 'none',
  expired: 'expired',
  second_login: 'dup',
};

/** Where the public portals send a browser whose session is missing or over. */
export const SESSION_PAGE = (reason: SessionReason): string =>
  `/sessionOut.do?type=${TYPES[reason]}`;

export const sessionOutRoute: Route = get('/sessionOut.do', (visit) => {
  const type = visit.query.get('type');
  if (type === 'dup') throw refuse(SESSION_TEXT.second_login, 'S0003');
  if (type === 'expired') throw refuse(SESSION_TEXT.expired, 'S0002');
  throw refuse(SESSION_TEXT.none, 'S0001');
});

/** Message page of the eGov framework. */
export function wrappedMessage(text: string, code: string): Html {
  return html`<div class="error_wrap"><strong class="tit">안내</strong><p class="txt">${text}</p><p class="code">오류코드 : ${code}</p></div>`;
}
