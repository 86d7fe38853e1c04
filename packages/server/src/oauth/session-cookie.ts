/** Names the browser to the library while a request is under way. It says nothing about the person. */
export const SESSION_COOKIE = 'changgu_oauth';
export const COOKIE_OPTIONS = { signed: true, httpOnly: true, sameSite: 'lax' } as const;
