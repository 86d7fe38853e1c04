import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fastify from 'fastify';
import type { Answer } from './answer.ts';
import { answerReply, answerStop, busyPage, gatewayPage } from './answer.ts';
import { parseForm } from './charset.ts';
import type { Condition, HostileKind } from './condition.ts';
import type { SingleSignOn } from './detours.ts';
import { detourOf, overSingleSignOn } from './detours.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';
import { parseMultipart } from './multipart.ts';
import { checkPageSecrets, takeToken, withPageSecrets } from './page-secrets.ts';
import type { Portal, Route } from './portal.ts';
import { renderPage } from './render.ts';
import { Stop } from './stop.ts';
import type { Visit } from './visit.ts';

const HUGE_BYTES = 32 * 1024 * 1024;
const ELSEWHERE = 'http://169.254.169.254/latest/meta-data/';

/** Holds the running portal, so that a reset can put a fresh one in its place. */
export interface PortalHolder {
  portal: Portal;
  readonly sso: SingleSignOn;
}

function cookieOf(request: FastifyRequest, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = pair.trim().split('=');
    if (key === name) return value;
  }
  return undefined;
}

function jsonForm(text: string): URLSearchParams {
  const form = new URLSearchParams();
  const body: unknown = JSON.parse(text);
  if (typeof body === 'object' && body !== null) {
    for (const [name, value] of Object.entries(body)) form.append(name, String(value));
  }
  return form;
}

function formOf(portal: Portal, request: FastifyRequest, path: string): URLSearchParams {
  if (!Buffer.isBuffer(request.body)) return new URLSearchParams();
  const type = request.headers['content-type'] ?? '';
  const isJson = type.startsWith('application/json');
  const text = request.body.toString('latin1');
  const charset = portal.look.charset(path);
  if (type.startsWith('multipart/form-data')) return parseMultipart(request.body, type, charset);
  if (portal.condition.has('multipart_forms') && !isJson) return new URLSearchParams();
  try {
    return isJson ? jsonForm(request.body.toString()) : parseForm(text, charset);
  } catch {
    return new URLSearchParams();
  }
}

function visitOf(portal: Portal, request: FastifyRequest, now: number, position: number): Visit {
  const [path = '/', query = ''] = request.url.split('?');
  const session = portal.sessions.resolve(cookieOf(request, portal.look.cookie));
  return {
    path,
    query: parseForm(query, portal.look.charset(path)),
    form: formOf(portal, request, path),
    authorization: request.headers.authorization ?? null,
    referer: request.headers.referer ?? '',
    origin: `http://${request.headers.host ?? ''}`,
    body: Buffer.isBuffer(request.body) ? request.body.toString() : '',
    idempotencyKey: request.headers['idempotency-key']?.toString() ?? null,
    now,
    session,
    sessions: portal.sessions,
    condition: portal.condition,
    position,
  };
}

function checkToken(portal: Portal, route: Route, visit: Visit): void {
  if (route.method !== 'POST' || route.checksToken === false) return;
  checkPageSecrets(portal, visit);
  const token = visit.form.get(portal.look.tokenField) ?? '';
  const isOurs = portal.condition.has('one_time_tokens')
    ? takeToken(visit.session, token)
    : token === visit.session.csrf;
  if (isOurs) return;
  // A page left open over a restart or an idle time-out has an old token and an old cookie.
  if (visit.session.stale) throw new Stop({ kind: 'session', reason: 'expired' });
  throw new Stop({ kind: 'forged' });
}

async function answer(
  { portal, sso }: PortalHolder,
  route: Route | null,
  visit: Visit,
): Promise<Answer> {
  try {
    if (visit.path === '/wait') return busyPage(portal, visit);
    const detour = detourOf(portal, visit, sso);
    if (detour !== null) return answerReply(portal, visit, detour);
    if (!route)
      throw new Stop({ kind: 'message', text: '페이지를 찾을 수 없습니다.', code: 'S0404' });
    checkToken(portal, route, visit);
    const reply = overSingleSignOn(portal, visit, sso, await route.handle(visit));
    return answerReply(portal, visit, reply);
  } catch (error) {
    if (error instanceof Stop) return answerStop(portal, visit, error.answer);
    throw error;
  }
}

function* endless(): Generator<Buffer> {
  const piece = Buffer.from(`<p>${'끝없는 내용 '.repeat(500)}</p>\n`);
  for (;;) yield piece;
}

function answersHostile(kind: HostileKind | null, reply: FastifyReply): boolean {
  if (kind === 'redirect_elsewhere') {
    reply.redirect(ELSEWHERE);
  } else if (kind === 'huge_body') {
    reply.type('text/html; charset=utf-8').send(Buffer.alloc(HUGE_BYTES, ' '));
  } else if (kind === 'endless_body') {
    reply.type('text/html; charset=utf-8').send(Readable.from(endless()));
  } else {
    return false;
  }
  return true;
}

function send(portal: Portal, visit: Visit, out: Answer, reply: FastifyReply): FastifyReply {
  if (out === 'hang_up') {
    reply.hijack();
    reply.raw.destroy();
    return reply;
  }
  const { 'set-cookie': extra, ...headers } = out.headers;
  const isPage = String(headers['content-type'] ?? '').includes('html');
  const body = isPage ? withPageSecrets(portal, visit.session, out.body) : out.body;
  const own = `${portal.look.cookie}=${visit.session.id}; Path=/; HttpOnly`;
  return reply
    .code(out.status)
    .headers(headers)
    .header('set-cookie', [own, ...(extra?.split('\n') ?? [])])
    .send(body);
}

/**
 * The condition of the portal as a whole answers before any page does, and then no page is reached.
 * @returns whether it did; not the reply, which can be awaited and would then come out as nothing
 */
async function conditionAnswers(
  portal: Portal,
  path: string,
  reply: FastifyReply,
): Promise<boolean> {
  const { state, latencyMs } = portal.condition.current();
  if (latencyMs > 0) await sleep(latencyMs);
  const failing = state === 'DOWN' ? 503 : portal.condition.failsNow() ? 502 : null;
  if (failing !== null) {
    const { status, headers, body } = gatewayPage(failing);
    reply.code(status).headers(headers).send(body);
    return true;
  }
  const { condition, look } = portal;
  if (condition.has('rate_limit') && condition.isTooMany()) {
    reply
      .code(429)
      .header('retry-after', '1')
      .type('text/html')
      .send('<html><body>429</body></html>');
    return true;
  }
  const notice = noticeOf(condition);
  if (notice !== null) {
    const { status, headers, body } = renderPage(look, path, null, {
      title: '안내',
      content: notice,
    });
    reply.code(status).headers(headers).send(body);
    return true;
  }
  return answersHostile(condition.hostile(path), reply);
}

/** What a portal tells every visitor, with status 200. */
function noticeOf(condition: Condition): Html | null {
  if (condition.has('maintenance_page')) {
    return html`<p class="inspect">시스템 점검 중입니다. 점검시간(23:30 ~ 00:30) 이후에 이용하여 주십시오.</p>`;
  }
  if (condition.has('rate_limit_page') && condition.isTooMany()) {
    return html`<p>요청이 너무 많습니다. 잠시 후 다시 시도하여 주십시오.</p>`;
  }
  return null;
}

async function serve(
  holder: PortalHolder,
  now: number,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { portal } = holder;
  const position = portal.log.tick();
  const [path = '/'] = request.url.split('?');
  const entry = portal.log.begin(now, request.method, path);
  reply.raw.once('close', () => {
    entry.status = reply.raw.headersSent ? reply.statusCode : null;
  });
  if (await conditionAnswers(portal, path, reply)) return reply;
  const visit = visitOf(portal, request, now, position);
  portal.sessions.touch(visit.session, position);
  const route = portal.routes.find(
    (candidate) => candidate.path === path && candidate.method === request.method,
  );
  const out = await answer(holder, route ?? null, visit);
  portal.sessions.touch(visit.session, portal.log.tick());
  const { login, quick_inquiry: inquiry } = visit.session.signIns;
  entry.login = (inquiry ?? login)?.login ?? null;
  return send(portal, visit, out, reply);
}

/** The HTTP server of one portal; not yet listening. */
export function portalServer(holder: PortalHolder, now: () => number): FastifyInstance {
  const app = fastify({ forceCloseConnections: true, bodyLimit: 1024 * 1024 });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.route({
    method: ['GET', 'POST'],
    url: '/*',
    exposeHeadRoute: false,
    handler: (request, reply) => serve(holder, now(), request, reply),
  });
  return app;
}
