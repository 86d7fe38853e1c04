import { randomBytes } from 'node:crypto';
import type { Portal } from './portal.ts';
import type { PortalSession } from './sessions.ts';
import { Stop } from './stop.ts';
import type { Visit } from './visit.ts';

interface Given {
  readonly tokens: Set<string>;
  readonly states: Set<string>;
}

const given = new WeakMap<PortalSession, Given>();

function givenTo(session: PortalSession): Given {
  const known = given.get(session) ?? { tokens: new Set(), states: new Set() };
  given.set(session, known);
  return known;
}

/** Was this token on a page of the session, and not sent yet? */
export function takeToken(session: PortalSession, token: string): boolean {
  return givenTo(session).tokens.delete(token);
}

/** @throws Stop when a POST lacks what the page gave it, or does not say where it comes from */
export function checkPageSecrets(portal: Portal, visit: Visit): void {
  const { condition } = portal;
  if (condition.has('referer_check') && !visit.referer.startsWith(`${visit.origin}/`)) {
    throw new Stop({ kind: 'forged' });
  }
  if (!condition.has('view_state')) return;
  const state = visit.form.get('__VIEWSTATE') ?? '';
  const isGiven = givenTo(visit.session).states.has(state);
  if (!isGiven || visit.form.get('__EVENTVALIDATION') !== reversed(state)) {
    throw new Stop({ kind: 'forged' });
  }
}

/** The page with the tokens, states and encodings that the features want. Bytes of any charset stay. */
export function withPageSecrets(portal: Portal, session: PortalSession, body: Buffer): Buffer {
  const { condition, look } = portal;
  let page = body.toString('latin1');
  if (condition.has('one_time_tokens')) {
    const token = randomBytes(16).toString('hex');
    givenTo(session).tokens.add(token);
    page = page.replaceAll(session.csrf, token);
  }
  if (condition.has('multipart_forms')) {
    page = page.replaceAll('method="post"', 'method="post" enctype="multipart/form-data"');
  }
  if (condition.has('view_state') && look.tokenField !== '') {
    const state = randomBytes(48).toString('base64');
    givenTo(session).states.add(state);
    const fields = `<input type="hidden" name="__VIEWSTATE" value="${state}"><input type="hidden" name="__EVENTVALIDATION" value="${reversed(state)}">`;
    page = page.replaceAll(/<form [^>]*method="post"[^>]*>/g, (form) => `${form}${fields}`);
  }
  return Buffer.from(page, 'latin1');
}

function reversed(state: string): string {
  return Array.from(state).reverse().join('');
}
