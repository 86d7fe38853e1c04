import { type CookieRequest, cookieNamed, isPlainRequest } from '../session-cookies.ts';

const SECURE_NAME = '__Host-changgu_sign_in';
const PLAIN_NAME = 'changgu_sign_in';

/** The cookie of a login that is under way: what the provider answers is for the browser that began. */
export interface AttemptCookie {
  read(request: CookieRequest): string | null;
  /** A Set-Cookie header. Lax, because another site, the provider, sends the browser back. */
  set(request: CookieRequest, secret: string): string;
  clear(request: CookieRequest): string;
}

export function createAttemptCookie(publicBaseUrl: string | undefined): AttemptCookie {
  const nameFor = (request: CookieRequest) =>
    isPlainRequest(publicBaseUrl, request) ? PLAIN_NAME : SECURE_NAME;

  function cookie(request: CookieRequest, value: string): string {
    const secure = isPlainRequest(publicBaseUrl, request) ? '' : '; Secure';
    return `${nameFor(request)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}`;
  }

  return {
    read(request) {
      const { cookie: header } = request.headers;
      return header === undefined ? null : cookieNamed(nameFor(request), header);
    },
    set: cookie,
    clear: (request) => `${cookie(request, '')}; Max-Age=0`,
  };
}
