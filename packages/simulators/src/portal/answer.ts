import { encode } from './charset.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';
import type { Portal } from './portal.ts';
import type { RenderedPage } from './render.ts';
import { renderPage } from './render.ts';
import type { StopAnswer } from './stop.ts';
import { SESSION_TEXT } from './stop.ts';
import type { Reply, Visit } from './visit.ts';
import { hidden } from './visit.ts';

/** What goes out on the socket; 'hang_up' destroys the connection without an answer. */
export type Answer = RenderedPage | 'hang_up';

const MAINTENANCE = '시스템 점검';

export function busyPage(portal: Portal, visit: Visit): Answer {
  const ticket = visit.query.get('t') ?? visit.session.id.slice(0, 12);
  return renderPage(portal.look, visit.path, null, {
    title: '처리 중',
    head: html`<meta http-equiv="refresh" content="2;url=/wait?t=${ticket}">`,
    content: html`<p class="wait">요청하신 업무를 처리하고 있습니다. 잠시만 기다려 주십시오.</p>`,
  });
}

function maintenancePage(portal: Portal, path: string): Answer {
  return renderPage(portal.look, path, null, {
    status: 503,
    title: `${MAINTENANCE} 안내`,
    content: html`<p class="inspect">${MAINTENANCE} 중입니다. 점검시간(23:30 ~ 00:30) 이후에 이용하여 주십시오.</p>`,
  });
}

/** A page by the machine in front of the portal; it does not know the portal's look. */
export function gatewayPage(status: 502 | 503): RenderedPage {
  const text = status === 502 ? '502 Bad Gateway' : '503 Service Temporarily Unavailable';
  const markup = `<html>\r\n<head><title>${text}</title></head>\r\n<body>\r\n<center><h1>${text}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;
  return { status, headers: { 'content-type': 'text/html' }, body: Buffer.from(markup) };
}

function messagePage(portal: Portal, path: string, text: string, code: string): Answer {
  return renderPage(portal.look, path, portal.condition.hostile(path), {
    title: '안내',
    content: portal.look.message(text, code),
  });
}

function redirectTo(location: string, cookies: Record<string, string> = {}): RenderedPage {
  const lines = Object.entries(cookies).map(
    ([name, value]) => `${name}=${value}; Path=/; HttpOnly`,
  );
  return {
    status: location.startsWith('/sessionOut') ? 302 : 303,
    headers: { location, ...(lines.length > 0 ? { 'set-cookie': lines.join('\n') } : {}) },
    body: Buffer.alloc(0),
  };
}

export function answerStop(portal: Portal, visit: Visit, stop: StopAnswer): Answer {
  switch (stop.kind) {
    case 'message':
      return messagePage(portal, visit.path, stop.text, stop.code);
    case 'session': {
      const location = portal.look.sessionPage?.(stop.reason);
      if (location !== undefined) return redirectTo(location);
      return messagePage(portal, visit.path, SESSION_TEXT[stop.reason], 'S0001');
    }
    case 'maintenance':
      return maintenancePage(portal, visit.path);
    case 'busy':
      return busyPage(portal, visit);
    case 'forged':
      return renderPage(portal.look, visit.path, null, {
        status: 403,
        title: '안내',
        content: portal.look.message('비정상적인 접근입니다.', 'S0403'),
      });
    case 'hang_up':
      return 'hang_up';
  }
}

/** Looks like nothing that a reader of JSON expects, by its type neither. */
function jsonOf({ condition }: Portal, body: object): { type: string; text: string } {
  const text = JSON.stringify(body);
  if (!condition.has('json_suffix')) return { type: 'application/json', text };
  return { type: 'application/vnd.portal+json', text: `${text}<nts<nts>nts>{28S2Zq` };
}

/** Null for a visitor who is not logged in. */
function menuOf({ look }: Portal, { session }: Visit): Html | null {
  if (look.logout === undefined || session.signIns.login?.log.ended_by !== null) return null;
  const { form, action } = look.logout;
  return html`<form id="${form}" name="${form}" method="post" action="${action}">${hidden(look.tokenField, session.csrf)}</form>`;
}

export function answerReply(portal: Portal, visit: Visit, reply: Reply): Answer {
  const { path } = visit;
  switch (reply.kind) {
    case 'page': {
      const parts = { ...reply, menu: menuOf(portal, visit) };
      return renderPage(portal.look, path, portal.condition.hostile(path), parts);
    }
    case 'redirect':
      return redirectTo(reply.location, reply.cookies);
    case 'json': {
      const { type, text } = jsonOf(portal, reply.body);
      return {
        status: reply.status,
        headers: { 'content-type': type },
        body: encode(text, 'utf-8'),
      };
    }
    case 'file':
      return {
        status: 200,
        headers: { 'content-type': reply.contentType, 'content-disposition': reply.disposition },
        body: reply.bytes,
      };
    case 'nothing':
      return { status: 204, headers: {}, body: Buffer.alloc(0) };
  }
}
