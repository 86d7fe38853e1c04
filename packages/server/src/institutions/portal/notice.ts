import { meaningOf } from '../meaning/korean-sentences.ts';
import type { PortalMeaning } from '../meaning/portal-meaning.ts';
import { elements, type PortalPage, textOf } from './page.ts';
import type { PortalMessage } from './portal-message.ts';

/** Longer texts, and those in more elements, are pages with data, which may say anything. */
const MAX_NOTICE = 600;
const MAX_NOTICE_PARTS = 8;
const DATA = 'form, table, dl, ul, ol, input, frame, iframe';
/** What load balancers and proxies say on the pages that they generate. */
const NOTICES: readonly (PortalMeaning | null)[] = [
  'maintenance',
  'throttled',
  'unavailable',
  'session_over',
  'page_missing',
];

/** A bare page with a known sentence, outside the portal's own message elements. */
export function noticeOn(page: PortalPage): PortalMessage | null {
  if (page.$(DATA).length > 0) return null;
  const text = textOf(page.$('body')) || alertIn(page);
  if (text.length > MAX_NOTICE || !NOTICES.includes(meaningOf(text))) return null;
  return partsOf(page) > MAX_NOTICE_PARTS ? null : { text, code: null };
}

/** How many elements have text of their own. */
function partsOf(page: PortalPage): number {
  return elements(page, 'body :not(script, style)').filter((each) =>
    each
      .contents()
      .toArray()
      .some((node) => node.type === 'text' && node.data.trim() !== ''),
  ).length;
}

/** The sentence of a page that only opens an alert. */
function alertIn(page: PortalPage): string {
  const literal = /\balert\(\s*(["'])((?:[^"'\\]|\\.){1,600})\1\s*\)/.exec(page.html)?.[2];
  return literal?.replaceAll(/\\[nrt]/g, ' ') ?? '';
}
