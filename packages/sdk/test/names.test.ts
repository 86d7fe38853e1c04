import { expect, it } from 'vitest';
import { ACTION, fake } from './support/fake.ts';

/** Those of the names that are functions of `object`. */
const functionsOf = (object: object, names: readonly string[]) =>
  names.filter((name) => typeof Reflect.get(object, name) === 'function');

it('the names that programs are written against (D152)', async () => {
  const { client } = fake();
  const jobs = [
    'submit',
    'prepare',
    'run',
    'get',
    'list',
    'cancel',
    'result',
    'resume',
    'allAccounts',
    'allAccountsRounds',
    'allAccountsSteps',
  ];
  expect(functionsOf(client.jobs, jobs)).toEqual(jobs);
  expect(functionsOf(client.artifacts, ['stream', 'download'])).toEqual(['stream', 'download']);
  const job = await client.jobs.submit({ action: ACTION, idempotencyKey: 'k' });
  const handle = ['poll', 'wait', 'result', 'events', 'cancel', 'toJSON'];
  expect(functionsOf(job, handle)).toEqual(handle);
  expect(job).toMatchObject({ id: expect.stringMatching(/^job_/), idempotencyKey: 'k' });
});
