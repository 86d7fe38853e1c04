import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Visits } from './visits.ts';

/** Room for two callers; `closed` names those that were forgotten. */
function house() {
  const closed: string[] = [];
  const errors: Error[] = [];
  const visits = new Visits((error) => errors.push(error), 2);
  const call = (name: string, answer = async () => new Response('done'), listens = false) => {
    const close = async () => {
      closed.push(name);
      throw new Error(`${name} could not be closed`);
    };
    return visits.during(name, () => ({ exchange: { close } }), answer, listens);
  };
  return { call, closed, errors };
}

async function readCall({ call }: ReturnType<typeof house>, name: string): Promise<void> {
  expect(await (await call(name)).text()).toBe('done');
  // The end of the answer is seen just after its last bytes.
  await setImmediate();
}

/** An answer that stays open until it is canceled. */
const endless = async () => new Response(new ReadableStream());

it('forgets the least recent caller, and reports one that cannot be closed', async () => {
  const made = house();
  for (const name of ['a', 'b', 'a', 'c']) await readCall(made, name);
  expect(made.closed).toEqual(['b']);
  expect(made.errors.map(({ message }) => message)).toEqual(['b could not be closed']);
});

it('forgets no caller whose call runs, also one that is not answered yet', async () => {
  const made = house();
  const reply = Promise.withResolvers<Response>();
  const running = made.call('a', () => reply.promise);
  for (const name of ['b', 'c', 'd']) await readCall(made, name);
  expect(made.closed).toEqual(['b', 'c']);
  reply.resolve(new Response('late'));
  expect(await (await running).text()).toBe('late');
  await setImmediate();
  await readCall(made, 'e');
  expect(made.closed).toEqual(['b', 'c', 'a']);
});

it('forgets no caller whose answer is still read, and makes room once it is given up', async () => {
  const made = house();
  const answers = [];
  for (const name of ['a', 'b', 'c']) answers.push(await made.call(name, endless));
  expect(made.closed).toEqual([]);
  await answers[1]?.body?.cancel();
  await setImmediate();
  expect(made.closed).toEqual(['b']);
});

it('forgets callers that only listen, or whose call failed', async () => {
  const made = house();
  await made.call('a', endless, true);
  const failed = made.call('b', () => Promise.reject(new Error('no answer')));
  await expect(failed).rejects.toThrow('no answer');
  for (const name of ['c', 'd']) await readCall(made, name);
  expect(made.closed).toEqual(['a', 'b']);
});
