import { ERROR_CODES } from '@changgu/contract/errors';
import { expect, it } from 'vitest';
import { ServiceError } from '../../rules/service-error.ts';
import { judge } from './postgres-errors.ts';

const HARMLESS = { retry: false, broken: false, suspectAll: false, unavailable: false };

it.each(ERROR_CODES)('takes %s, which a script throws, for no failure of the database', (code) => {
  expect(judge(new ServiceError(code))).toEqual(HARMLESS);
});

it.each(['ECONNRESET', 'EPIPE', '57P01', '08006', '25P03'])(
  'takes %s for a lost connection',
  (code) => {
    expect(judge(Object.assign(new Error('lost'), { code }))).toMatchObject({
      broken: true,
      unavailable: true,
    });
  },
);
