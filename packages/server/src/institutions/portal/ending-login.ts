import type { Call } from '../connector.ts';
import { InstitutionError } from '../institution-error.ts';
import { readForm } from './form.ts';
import type { PortalPage } from './page.ts';
import type { Portal } from './portal.ts';

/** How a login ends: by a form that a page has for those who are logged in. */
export interface Logout {
  readonly page: string;
  readonly form: string;
}

/** Remembers the page that the login led to, which has the form as well. */
export type Entered = (page: PortalPage) => void;

type Work<Result> = (entered: Entered) => Promise<Result>;
type LogoutCall = Pick<Call, 'clock' | 'signal' | 'timeLeft'>;

/** Then there is no login, or the portal itself has ended it. */
const WITHOUT_LOGIN = [
  'PROVIDER_AUTH_FAILED',
  'PROVIDER_CREDENTIAL_REJECTED',
  'PROVIDER_ACCOUNT_LOCKED',
  'PROVIDER_MAINTENANCE',
  'PROVIDER_SESSION_EXPIRED',
];
/** What the rest of the job still needs after it has waited for the portal. */
const RESERVE_MS = 10_000;

/**
 * Logs in and keeps the login open for the next calls. When the work fails, the login is ended, if the portal opened
 * one: no later call could use it, and at many portals it would make the next login a duplicate one.
 */
export function keepingLogin<Result>(
  call: LogoutCall,
  portal: Portal,
  logout: Logout,
  work: Work<Result>,
): Promise<Result> {
  return withLogin(call, portal, logout, work, false);
}

/** Logs in, and ends the login with the work, also when the work fails. */
export function endingLogin<Result>(
  call: LogoutCall,
  portal: Portal,
  logout: Logout,
  work: Work<Result>,
): Promise<Result> {
  return withLogin(call, portal, logout, work, true);
}

async function withLogin<Result>(
  call: LogoutCall,
  portal: Portal,
  logout: Logout,
  work: Work<Result>,
  endsAfterSuccess: boolean,
): Promise<Result> {
  const shown: { page?: PortalPage } = {};
  let result: Result;
  try {
    result = await work((page) => {
      shown.page = page;
    });
  } catch (error) {
    if (await mayLogOut(call, error)) await logOut(portal, logout, shown.page);
    throw error;
  }
  if (endsAfterSuccess) await logOut(portal, logout, shown.page);
  return result;
}

/**
 * After the time for which the portal asked to be left alone, if the job has that much. A stopped call sends nothing
 * more.
 */
async function mayLogOut(
  { clock, signal, timeLeft }: LogoutCall,
  error: unknown,
): Promise<boolean> {
  if (signal.aborted) return false;
  if (!(error instanceof InstitutionError)) return true;
  if (WITHOUT_LOGIN.includes(error.code)) return false;
  const { leaveAloneMs = 0 } = error.details;
  if (leaveAloneMs === 0) return true;
  if (leaveAloneMs + RESERVE_MS > timeLeft()) return false;
  await clock.pause(leaveAloneMs);
  return true;
}

/** A failed logout discards neither a result nor a failure. */
async function logOut(portal: Portal, { page, form }: Logout, shown?: PortalPage): Promise<void> {
  try {
    await portal.submit(readForm(shown ?? (await portal.get(page)), form), {});
  } catch (error) {
    if (!(error instanceof InstitutionError)) throw error;
  }
}
