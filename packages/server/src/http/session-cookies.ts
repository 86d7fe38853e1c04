import type { IncomingHttpHeaders } from 'node:http';
import { isLoopbackHost } from '@changgu/contract';
import { sameText } from '../crypto/same-secret.ts';
import type { Principal } from '../rules/principals/principal.ts';
import { ServiceError } from '../rules/service-error.ts';

const SECURE_NAME = '__Host-changgu_session';
/** Browsers refuse Secure cookies over plain HTTP, which a developer's own machine uses. */
const PLAIN_NAME = 'changgu_session';
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** What is known about a request before it is admitted. */
export interface CookieRequest {
  readonly headers: IncomingHttpHeaders;
  readonly protocol: string;
}

/** The cookies of console sessions, and what a request with one must prove. */
export interface SessionCookies {
  read(request: CookieRequest): string | null;
  /** Whether a session cookie is present, valid or not. */
  isSent(request: CookieRequest): boolean;
  /** A Set-Cookie header without an age: the session ends with the browser, or on the server. */
  set(request: CookieRequest, secret: string): string;
  clear(request: CookieRequest): string;
  /**
   * The request comes from our own page: another site can make a browser send its cookies, but can neither read
   * the token nor choose the Origin.
   * @throws ServiceError AUTH_CSRF_REFUSED
   */
  assertOwn(
    request: CookieRequest & { readonly method: string },
    principal: Principal,
    csrfToken: string | readonly string[] | undefined,
  ): void;
  /** @throws ServiceError AUTH_CSRF_REFUSED */
  assertOwnOrigin(request: CookieRequest): void;
}

/** Is it plain HTTP on a developer's own machine? Everywhere else cookies are Secure. */
export function isPlainRequest(
  publicBaseUrl: string | undefined,
  { headers, protocol }: CookieRequest,
): boolean {
  if (publicBaseUrl !== undefined && new URL(publicBaseUrl).protocol === 'https:') return false;
  return protocol === 'http' && isLoopbackHost(headers.host ?? '');
}

export function createSessionCookies(publicBaseUrl: string | undefined): SessionCookies {
  const publicOrigin = publicBaseUrl === undefined ? null : new URL(publicBaseUrl).origin;
  const isPlain = (request: CookieRequest) => isPlainRequest(publicBaseUrl, request);

  function nameFor(request: CookieRequest): string {
    return isPlain(request) ? PLAIN_NAME : SECURE_NAME;
  }

  function cookie(request: CookieRequest, value: string): string {
    const secure = isPlain(request) ? '' : '; Secure';
    return `${nameFor(request)}=${value}; Path=/; HttpOnly; SameSite=Strict${secure}`;
  }

  function isOwnOrigin({ headers }: CookieRequest): boolean {
    const { origin, host } = headers;
    if (typeof origin !== 'string' || !URL.canParse(origin)) return false;
    return publicOrigin === null ? new URL(origin).host === host : origin === publicOrigin;
  }

  function assertOwnOrigin(request: CookieRequest): void {
    if (!isOwnOrigin(request)) throw new ServiceError('AUTH_CSRF_REFUSED');
  }

  return {
    read(request) {
      const { cookie: header } = request.headers;
      return header === undefined ? null : cookieNamed(nameFor(request), header);
    },
    isSent: ({ headers }) => headers.cookie?.includes(`${PLAIN_NAME}=`) ?? false,
    set: cookie,
    clear: (request) => `${cookie(request, '')}; Max-Age=0`,
    assertOwnOrigin,
    assertOwn(request, principal, csrfToken) {
      const expected = principal.kind === 'console_user' ? principal.session?.csrfToken : null;
      if (!expected || READING.has(request.method)) return;
      assertOwnOrigin(request);
      if (typeof csrfToken !== 'string' || !sameText(csrfToken, expected)) {
        throw new ServiceError('AUTH_CSRF_REFUSED');
      }
    },
  };
}

/** Also null when there are two, because one of them was planted. */
export function cookieNamed(name: string, header: string): string | null {
  const values = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [value, second] = values;
  return value === undefined || value === '' || second !== undefined ? null : value;
}
