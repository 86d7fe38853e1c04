import { expect, it } from 'vitest';
import { parseMoment } from './arguments.ts';

it('takes a time that exists', () => {
  expect(parseMoment('2028-02-29T00:00:00+09:00')).toBe('2028-02-29T00:00:00+09:00');
});

it.each(['2027-02-30T00:00:00+09:00', '2027-13-01T00:00:00Z', '2027-03-31', 'tomorrow'])(
  'refuses %s, which is none',
  (text) => {
    expect(() => parseMoment(text)).toThrow('expected a date with time and offset');
  },
);
