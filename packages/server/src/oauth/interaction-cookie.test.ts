import { expect, it } from 'vitest';
import { begunCookie, isOfThisBrowser } from './interaction-cookie.ts';

const ISSUER = 'https://changgu.company.example/oauth';
const UID = 'uid_of-an-interaction';

it('an interaction is of the browser that was told so by this very host (D167)', () => {
  const [own = '', ...attributes] = begunCookie(ISSUER, UID).split('; ');
  // Browsers take a cookie of this prefix from the host itself alone, and only with these attributes.
  expect(own).toMatch(/^__Host-/);
  expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'Secure', 'HttpOnly']));
  expect(isOfThisBrowser(`a=b; ${own}`, ISSUER, UID)).toBe(true);
  expect(isOfThisBrowser(own, ISSUER, 'another')).toBe(false);
});

it.each([
  undefined,
  '',
  `__Secure-changgu_oauth_interaction=${UID}`,
  `changgu_oauth_interaction=${UID}`,
  `changgu_oauth_begun_${UID}=1`,
])('a page of a sibling domain cannot make it of another browser by %j (D167)', (cookies) => {
  expect(isOfThisBrowser(cookies, ISSUER, UID)).toBe(false);
});
