import { expect, it } from 'vitest';
import { terminalLanguage } from './language.ts';

it.each([
  [{}, 'ko'],
  [{ LANG: 'C.UTF-8' }, 'ko'],
  [{ LANG: 'POSIX' }, 'ko'],
  [{ LANG: 'ko_KR.UTF-8' }, 'ko'],
  [{ LANG: 'en_US.UTF-8' }, 'en'],
  [{ LANG: 'fr_FR@euro' }, 'en'],
  [{ LANG: 'ko_KR.UTF-8', LC_MESSAGES: 'en_US.UTF-8' }, 'en'],
  [{ LANG: 'en_US.UTF-8', LC_MESSAGES: 'en_US.UTF-8', LC_ALL: 'ko_KR.UTF-8' }, 'ko'],
  [{ LANG: 'en_US.UTF-8', LC_ALL: '' }, 'en'],
])('a terminal with %o speaks %s', (env, language) => {
  expect(terminalLanguage(env)).toBe(language);
});
