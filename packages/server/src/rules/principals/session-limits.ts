/** Life of a console token, and of its session: eight hours, no refresh. */
export const CONSOLE_TOKEN_SECONDS = 28_800;

/** A session cookie ends after twelve hours, however busy it is: one working day, and no second one. */
export const SESSION_COOKIE_SECONDS = 43_200;

/** A session cookie that nothing used for half an hour ends: browsers are left open on shared desks. */
export const SESSION_IDLE_MS = 1_800_000;

/** How often the use of a session is noted. */
export const SESSION_TOUCH_MS = 60_000;
