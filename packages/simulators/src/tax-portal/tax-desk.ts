import type { Member } from '../demo/members.ts';
import { ownerNumberOf } from '../demo/members.ts';
import type { Html } from '../portal/html.ts';
import { html } from '../portal/html.ts';
import type { SignIn } from '../portal/sessions.ts';
import type { Visit } from '../portal/visit.ts';
import { hidden, signedInForData, signedInOnArrival } from '../portal/visit.ts';

/** Name of the hidden CSRF field. */
export const TOKEN = 'csrfToken';

/** The logged-in member of a page that shows data. */
export function memberAt(visit: Visit): { signIn: SignIn; member: Member; owner: string } {
  const signIn = signedInForData(visit, 'login');
  const member = memberOf(signIn);
  return { signIn, member, owner: ownerNumberOf(member) };
}

/** The member on the page that the login leads to. */
export function arrivingMember(visit: Visit): {
  signIn: SignIn;
  member: Member;
  arrives: boolean;
} {
  const { signIn, arrives } = signedInOnArrival(visit, 'login');
  return { signIn, member: memberOf(signIn), arrives };
}

function memberOf({ member }: SignIn): Member {
  if (!member) throw new Error('a login without a member');
  return member;
}

export function tokenInput(visit: Visit): Html {
  return hidden(TOKEN, visit.session.csrf);
}

/** A select of code and text, one of them chosen. */
export function select(
  name: string,
  options: Readonly<Record<string, string>>,
  chosen: string,
): Html {
  // Codes such as '99' are integer-like, so their order in the object is numeric: sort as text.
  const codes = Object.keys(options).sort();
  return html`<select id="${name}" name="${name}">${codes.map((code) =>
    code === chosen
      ? html`<option value="${code}" selected>${options[code] ?? ''}</option>`
      : html`<option value="${code}">${options[code] ?? ''}</option>`,
  )}</select>`;
}

export function formRow(label: string, control: Html): Html {
  return html`<tr><th scope="row">${label}</th><td>${control}</td></tr>
`;
}
