import { loadPart } from './load-part.ts';

/** Pages without a session, which sign-in and links in emails lead to. Their chunk is loaded when one is opened. */
export const ONE_TIME_PAGES: readonly string[] = [
  'register',
  'accept-invitation',
  'verify-email',
  'reset-password',
  'forgot-password',
];

export async function loadOneTimeScreen() {
  return (await loadPart(() => import('../screens/one-time/one-time.tsx'))).OneTimeScreen;
}
