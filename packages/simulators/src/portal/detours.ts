import type { Feature } from './features.ts';
import { html } from './html.ts';
import type { Portal } from './portal.ts';
import type { SignIn } from './sessions.ts';
import { Stop } from './stop.ts';
import type { Reply, Visit } from './visit.ts';
import { hidden, redirect } from './visit.ts';

/** Pages that stand between a login and what was asked for, in this order. */
const DETOURS = [
  {
    feature: 'already_logged_in',
    form: 'continueForm',
    text: '이미 로그인되어 있는 사용자입니다. 기존 접속을 종료하고 계속하시겠습니까?',
    button: '계속',
  },
  {
    feature: 'change_password',
    form: 'laterForm',
    text: '비밀번호를 변경하신 지 90일이 지났습니다. 비밀번호를 변경하여 주십시오.',
    button: '다음에 변경',
  },
] as const satisfies readonly { feature: Feature; form: string; text: string; button: string }[];

/** A browser returns at once or not at all. */
const MAX_TICKETS = 1_000;
const GO_ON = '/member/goOn.do';
const passed = new WeakMap<SignIn, Set<Feature>>();
const returned = new WeakSet<SignIn>();

/** Tickets of the single sign-on, each good for one return. */
export class SingleSignOn {
  readonly #tickets = new Set<string>();
  /** Base address of its own site. */
  url = '';

  issue(): string {
    const ticket = crypto.randomUUID();
    this.#tickets.add(ticket);
    const [oldest] = this.#tickets;
    if (oldest !== undefined && this.#tickets.size > MAX_TICKETS) this.#tickets.delete(oldest);
    return ticket;
  }

  take(ticket: string): boolean {
    return this.#tickets.delete(ticket);
  }
}

/** What a logged-in person sees instead of the page that was asked for; null for that page. */
export function detourOf(portal: Portal, visit: Visit, sso: SingleSignOn): Reply | null {
  const signIn = visit.session.signIns.login;
  if (signIn === undefined) return null;
  if (visit.path === '/sso/return') return arrive(visit, signIn, sso);
  if (visit.path === GO_ON) return goOn(visit, signIn);
  if (portal.condition.has('single_sign_on') && !returned.has(signIn)) {
    throw new Stop({ kind: 'session', reason: 'none' });
  }
  const done = passed.get(signIn) ?? new Set();
  const next = DETOURS.find(({ feature }) => portal.condition.has(feature) && !done.has(feature));
  if (next === undefined || isLogin(visit)) return null;
  const content = html`<div class="notice"><p>${next.text}</p></div>
<form id="${next.form}" method="post" action="${GO_ON}">${hidden(portal.look.tokenField, visit.session.csrf)}${hidden('seen', next.feature)}${hidden('to', visit.path)}<button type="submit">${next.button}</button></form>`;
  return { kind: 'page', title: '안내', content };
}

/** Pages of the login itself are never kept from anybody. */
function isLogin({ path }: Visit): boolean {
  return /log(?:in|out)/i.test(path);
}

function goOn(visit: Visit, signIn: SignIn): Reply {
  const done = passed.get(signIn) ?? new Set<Feature>();
  const seen = DETOURS.find(({ feature }) => feature === visit.form.get('seen'));
  if (seen !== undefined) done.add(seen.feature);
  passed.set(signIn, done);
  return redirect(ownPath(visit.form.get('to')));
}

function arrive(visit: Visit, signIn: SignIn, sso: SingleSignOn): Reply {
  if (!sso.take(visit.query.get('ticket') ?? '')) throw new Stop({ kind: 'forged' });
  returned.add(signIn);
  return redirect(ownPath(visit.query.get('to')));
}

function ownPath(path: string | null): string {
  return path?.startsWith('/') && !path.startsWith('//') ? path : '/';
}

/** Sends a visitor who has just logged in over the single sign-on. */
export function overSingleSignOn(
  portal: Portal,
  visit: Visit,
  sso: SingleSignOn,
  reply: Reply,
): Reply {
  const signIn = visit.session.signIns.login;
  const hasJustLoggedIn = signIn?.log.first_position === visit.position;
  if (!portal.condition.has('single_sign_on') || !hasJustLoggedIn || reply.kind !== 'redirect') {
    return reply;
  }
  const back = `${visit.origin}/sso/return?to=${encodeURIComponent(reply.location)}`;
  const location = `${sso.url}/authorize?return=${encodeURIComponent(back)}`;
  return { ...reply, location };
}
