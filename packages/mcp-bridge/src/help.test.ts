import { expect, it } from 'vitest';
import { helpText } from './help.ts';

it.each([
  [{}, '사용법'],
  [{ LANG: 'C.UTF-8' }, '사용법'],
  [{ LANG: 'ko_KR.UTF-8' }, '사용법'],
  [{ LANG: 'en_US.UTF-8' }, 'Usage'],
  [{ LANG: 'ko_KR.UTF-8', LC_ALL: 'en_US.UTF-8' }, 'Usage'],
])('follows the locale: %j begins with %s', (env, first) => {
  expect(helpText(env).split('\n', 1)[0]).toBe(first);
});

it('names the same options in both languages', () => {
  const optionsOf = (text: string) => [...text.matchAll(/--[a-z-]+/g)].map(([name]) => name);
  const korean = optionsOf(helpText({}));
  expect(korean.length).toBeGreaterThan(10);
  expect(optionsOf(helpText({ LANG: 'en_US.UTF-8' }))).toEqual(korean);
});
