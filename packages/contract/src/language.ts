/** A separate entry point, because a program needs it before anything else is loaded. */

export type Language = 'ko' | 'en';

/** The language of a terminal: Korean, the service's default, unless its locale names another one. */
export function terminalLanguage(env: Readonly<Record<string, string | undefined>>): Language {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return /^(ko|C|POSIX)?([._@]|$)/i.test(locale) || /^ko/i.test(locale) ? 'ko' : 'en';
}
