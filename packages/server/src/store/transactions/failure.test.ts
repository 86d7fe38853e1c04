import { expect, it } from 'vitest';
import { ServiceError } from '../../rules/service-error.ts';
import { MigrationError } from '../backends/migrate.ts';
import { fromFailure, storeUnavailable, toFailure } from './failure.ts';
import { RetryTransactionError } from './script.ts';

const across = (error: unknown) => fromFailure(structuredClone(toFailure(error)));

it('carries an error across the thread with everything that is answered or logged', () => {
  const missing = Object.assign(new Error('no such file'), { code: 'ENOENT' });
  expect(across(missing)).toMatchObject({ name: 'Error', message: 'no such file', code: 'ENOENT' });
  const pending = across(new MigrationError('run "changgu-server migrate" first'));
  expect(pending).toMatchObject({
    name: 'MigrationError',
    message: expect.stringMatching(/first/),
  });
  expect(pending).not.toHaveProperty('code');
  expect(across('nonsense')).toMatchObject({ name: 'Error', message: 'nonsense' });
  expect(across(new ServiceError('JOB_NOT_FOUND'))).toMatchObject({
    code: 'JOB_NOT_FOUND',
    status: 404,
  });
  expect(across(storeUnavailable(missing))).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    details: { retryAfterSeconds: 1, cause: { code: 'ENOENT', message: 'no such file' } },
  });
});

it.each([
  ['SQLite', { errcode: 13 }],
  ['SQLite, in its extended form', { errcode: 13 | (3 << 8) }],
  ['PostgreSQL', { code: '53100' }],
  ['the system', { code: 'ENOSPC' }],
])('says that the disk is full where %s says so, and of nothing else', (_, properties) => {
  const full = across(storeUnavailable(Object.assign(new Error(), properties)));
  expect(full).toMatchObject({
    details: { message: { en: expect.stringContaining('disk space') } },
  });
  const busy = across(storeUnavailable(Object.assign(new Error(), { errcode: 5 })));
  expect(busy).not.toHaveProperty('details.message');
});

it('takes a lost race on SQLite for a defect: its writers run one after another', () => {
  expect(across(new RetryTransactionError())).toMatchObject({
    name: 'AssertionError',
    code: 'ERR_ASSERTION',
    message: 'a script of the only writer lost a race',
  });
});
