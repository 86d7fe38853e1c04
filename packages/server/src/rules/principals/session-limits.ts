/** Lifetime of a console token and its session: eight hours, without refresh. */
export const CONSOLE_TOKEN_SECONDS = 28_800;

/** A session cookie ends after twelve hours even when used: one working day, not two. */
export const SESSION_COOKIE_SECONDS = 43_200;

/** A session cookie ends after half an hour without use, because browsers stay open on shared desks. */
export const CONSOLE_SESSION_IDLE_MS = 1_800_000;

/** How often the use of a session is recorded. */
export const SESSION_TOUCH_MS = 60_000;

/** For so long, a login at an identity provider stands for a password that is asked for again. */
export const FRESH_LOGIN_MS = 600_000;
