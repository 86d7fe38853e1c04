/** What real portals do besides, each switched on by the control API. */
export const FEATURES = [
  /** Every page has tokens of its own, and each is good for one POST. */
  'one_time_tokens',
  /** Forms carry `__VIEWSTATE` and `__EVENTVALIDATION`, and a POST must bring them back. */
  'view_state',
  /** A POST must say that it comes from a page of the portal. */
  'referer_check',
  /** Forms ask for multipart/form-data, and nothing else is read. */
  'multipart_forms',
  /** After a login: "change your password", with a form `laterForm`. */
  'change_password',
  /** After a login: "already logged in, continue?", with a form `continueForm`. */
  'already_logged_in',
  /** A login ends at another origin and comes back with a ticket. */
  'single_sign_on',
  /** Passwords are typed on a keypad of the page, and encrypted by it. */
  'keypad',
  /** Every fifth request is refused: 429 with Retry-After. */
  'rate_limit',
  /** The same with status 200 and a sentence. */
  'rate_limit_page',
  /** The maintenance notice, with status 200. */
  'maintenance_page',
  /** A page beyond the last shows the last one. */
  'clamped_pages',
  /** Between two pages a new row comes in before the others. */
  'shifting_rows',
  /** JSON answers end with what the portal appends to all of them. */
  'json_suffix',
] as const;

export type Feature = (typeof FEATURES)[number];

export function isFeature(value: unknown): value is Feature {
  return FEATURES.some((feature) => feature === value);
}
