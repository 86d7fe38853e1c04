import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { validatorOf } from './validation.ts';

const LONG = 'x'.repeat(100);
const Id = Type.String({ maxLength: 64 });
const params = Type.Object({ job_id: Id, artifact_id: Id });
const errors = ['ARTIFACT_NOT_FOUND', 'JOB_NOT_FOUND'] as const;
const notFound = { job_id: 'JOB_NOT_FOUND', artifact_id: 'ARTIFACT_NOT_FOUND' } as const;

it('an id that cannot be one is answered with the code of its parameter, the first one first', () => {
  const operation = { id: 'read', errors, params, notFound };
  const check = validatorOf(
    operation,
    undefined,
  )({
    schema: params,
    httpPart: 'params',
    method: 'GET',
    url: '/',
  });
  expect(check({ job_id: 'a', artifact_id: LONG })).toMatchObject({
    error: { code: 'ARTIFACT_NOT_FOUND' },
  });
  expect(check({ job_id: LONG, artifact_id: LONG })).toMatchObject({
    error: { code: 'JOB_NOT_FOUND' },
  });
});

it('an operation with several such codes says which parameter has which', () => {
  expect(() => validatorOf({ id: 'read', errors, params }, undefined)).toThrow('read does not say');
});
