import { expect, it } from 'vitest';
import { blamingParams } from './wrong-params.ts';

it.each([
  ['[{"code":"invalid_type","path":["params","name"]}]', -32_602],
  ['[{"code":"invalid_type"}]', -32_603],
  ['[null]', -32_603],
  ['[', -32_603],
  ['The disk is full', -32_603],
])('an internal error with the message %s is %i', (message, code) => {
  expect(blamingParams({ code: -32_603, message })).toEqual({ code, message });
});
