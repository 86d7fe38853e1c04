/** The default time after which portals end an unused login, in milliseconds (D80). */
export const PORTAL_SESSION_IDLE_MS = 20 * 60_000;
