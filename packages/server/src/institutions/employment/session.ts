import type { JsonObject } from '../connector.ts';
import { cookieNames, cookiesOf } from '../portal/logged-in.ts';

/** What later actions need from a login, and where the session stores it. */
const MATERIAL = {
  session_cookie: 'JSESSIONID',
  sso_cookie: 'EI_SSO',
  member_type_cookie: 'MBR_TP',
} as const;

export interface EmploymentSession {
  readonly cookies: JsonObject;
  readonly csrf_token: string | null;
  readonly business_registration_no: string | null;
  readonly business_management_no: string | null;
  readonly member_type_code: string;
  /** The action that created it. */
  readonly flow_origin: string;
}

/** Which parts of the material exist, by name. */
export function materialOf(session: EmploymentSession): Record<string, boolean> {
  const names = cookieNames(session.cookies);
  const cookies = Object.entries(MATERIAL).map(
    ([name, cookie]) => [name, names.includes(cookie)] as const,
  );
  return { ...Object.fromEntries(cookies), csrf_token: session.csrf_token !== null };
}

export function missingKeys(material: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(material).filter((name) => material[name] === false);
}

/** A stored session, written by our own login. */
export function readSession(state: JsonObject): EmploymentSession {
  const text = (name: string) => (typeof state[name] === 'string' ? state[name] : null);
  return {
    cookies: cookiesOf(state),
    csrf_token: text('csrf_token'),
    business_registration_no: text('business_registration_no'),
    business_management_no: text('business_management_no'),
    member_type_code: text('member_type_code') ?? 'BE904',
    flow_origin: text('flow_origin') ?? '',
  };
}
