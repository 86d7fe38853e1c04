import { expect, it } from 'vitest';
import { unusableTexts } from './unusable-texts.ts';

it('finds what a database would refuse or change, and says where it is (R122)', () => {
  const body = { label: 'a\u0000b', list: ['한글', '\ud800'], inner: { text: 'x\udfff' }, n: 1 };
  expect(unusableTexts(body, ['body']).map(({ loc, type }) => [loc, type])).toEqual([
    [['body', 'label'], 'value_error'],
    [['body', 'list', 1], 'string_unicode'],
    [['body', 'inner', 'text'], 'string_unicode'],
  ]);
});

it('leaves alone what is kept as JSON: sandbox echoes params as they were sent (R36)', () => {
  expect(unusableTexts({ params: { text: 'a\u0000b' }, label: '🔑' }, ['body'])).toEqual([]);
});
