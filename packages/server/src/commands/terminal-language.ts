import type { Language } from '../requests/language.ts';

/** Language of the terminal's locale: Korean unless it names another language, as in the client's CLI. */
export function terminalLanguage(env: NodeJS.ProcessEnv): Language {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return /^(ko|C|POSIX)?([._@]|$)/i.test(locale) || /^ko/i.test(locale) ? 'ko' : 'en';
}
