import { magicOfMember, memberOfLogin, ownerNumberOf } from '../demo/members.ts';
import type { Attempts } from './attempts.ts';
import { locked } from './attempts.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';
import { keypad, typedOn } from './keypad.ts';
import { magicEndingOf } from './magic.ts';
import type { SignIn, SignInMethod } from './sessions.ts';
import { refuse, Stop } from './stop.ts';
import type { Visit } from './visit.ts';
import { field, hidden } from './visit.ts';

/** Names of a portal's id and password form. */
export interface PasswordForm {
  action: string;
  tokenField: string;
  idField: string;
  passwordField: string;
}

export function passwordForm(visit: Visit, form: PasswordForm): Html {
  return html`<form id="idLoginForm" name="idLoginForm" method="post" action="${form.action}">
<fieldset><legend>아이디 로그인</legend>
${hidden(form.tokenField, visit.session.csrf)}
<label>아이디 <input type="text" name="${form.idField}" maxlength="40"></label>
<label>비밀번호 <input type="password" name="${form.passwordField}"></label>
${visit.condition.has('keypad') ? keypad(visit) : null}
<button type="submit">로그인</button>
</fieldset></form>`;
}

/** @throws Stop with the portal's words when the login is refused, locked or under maintenance. */
export function checkPassword(loginId: string, password: string, attempts: Attempts): void {
  if (!/^[A-Za-z0-9_.@-]{4,40}$/.test(loginId) || password === '') {
    throw refuse('아이디와 비밀번호를 입력하여 주십시오.', 'E1400');
  }
  const magic = magicEndingOf(loginId);
  if (magic === '0503') throw new Stop({ kind: 'maintenance' });
  if (magic === '0423') throw locked();
  if (magic === '0401') throw refuse('비밀번호가 일치하지 않습니다.', 'E1401');
  attempts.check(`login:${loginId}`, memberOfLogin(loginId).loginPassword === password);
}

/** Signs a member in by id, after its password or its consent was checked. */
export function signInById(visit: Visit, loginId: string, method: SignInMethod): SignIn {
  const member = memberOfLogin(loginId);
  return visit.sessions.signIn(
    visit.session,
    'login',
    { login: loginId, owner: ownerNumberOf(member), method, magic: magicOfMember(member), member },
    visit.position,
  );
}

export function signInByPassword(visit: Visit, form: PasswordForm, attempts: Attempts): SignIn {
  const loginId = field(visit, form.idField);
  const sent = visit.form.get(form.passwordField) ?? '';
  checkPassword(loginId, visit.condition.has('keypad') ? typedOn(visit, sent) : sent, attempts);
  return signInById(visit, loginId, 'password');
}
