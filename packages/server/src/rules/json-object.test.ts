import { expect, it } from 'vitest';
import { parseJsonObject } from './json-object.ts';

it('reads an object, and nothing else that is JSON or not', () => {
  expect(parseJsonObject('{"a":1}')).toEqual({ a: 1 });
  for (const text of ['[]', 'null', '"a"', '1', '', '{']) expect(parseJsonObject(text)).toBeNull();
});
