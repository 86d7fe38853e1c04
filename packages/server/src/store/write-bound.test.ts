import { expect, it } from 'vitest';
import type { ScriptName } from './scripts.ts';
import { createWriteBound } from './write-bound.ts';

const SUBMIT = { group: 'jobs', script: 'submit' };
const FINISH = { group: 'engine', script: 'finish' };
const FIND = { group: 'jobs', script: 'find' };

it('turns writes away while too many wait, but neither reads nor the ends of jobs', async () => {
  const bounded = createWriteBound(2);
  const admit = (name: ScriptName, call: () => Promise<unknown>) => bounded(name, call)(undefined);
  const answer = Promise.withResolvers<void>();
  const waiting = [admit(SUBMIT, () => answer.promise), admit(SUBMIT, () => answer.promise)];
  await expect(admit(SUBMIT, async () => 'ran')).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    details: { retryAfterSeconds: 1, cause: { message: '2 writes wait already' } },
  });
  expect(await admit(FINISH, async () => 'ran')).toBe('ran');
  expect(await admit(FIND, async () => 'ran')).toBe('ran');
  answer.resolve();
  await Promise.all(waiting);
  expect(await admit(SUBMIT, async () => 'ran')).toBe('ran');
});
