import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ScriptName } from '../scripts.ts';
import { createOutbox, type Outbox } from './sqlite-outbox.ts';

function open(oneAtATime: boolean): { readonly sent: number[][]; readonly outbox: Outbox } {
  const sent: number[][] = [];
  const outbox = createOutbox((calls) => sent.push(calls.map(({ id }) => id)), { oneAtATime });
  return { sent, outbox };
}

function call(id: number, script: ScriptName = { group: 'jobs', script: 'submit' }) {
  return { id, ...script, input: null };
}

it('reads of a turn of the event loop leave in one message, in order', async () => {
  const { sent, outbox } = open(true);
  outbox.add(call(1));
  outbox.add(call(2));
  expect(sent).toEqual([]);
  await turnOfTheLoop();
  expect(sent).toEqual([[1, 2]]);
});

it('the first write leaves at once, so that the idle thread begins with it', async () => {
  const { sent, outbox } = open(false);
  outbox.add(call(1));
  expect(sent).toEqual([[1]]);
  outbox.add(call(2));
  outbox.add(call(3));
  expect(sent).toEqual([[1]]);
  await turnOfTheLoop();
  expect(sent).toEqual([[1], [2, 3]]);
});

it('writes leave before the end of their turn when they fill a message', async () => {
  const { sent, outbox } = open(false);
  for (let id = 1; id <= 11; id += 1) outbox.add(call(id));
  const full = [[1], [2, 3, 4, 5, 6, 7, 8, 9]];
  expect(sent).toEqual(full);
  await turnOfTheLoop();
  expect(sent).toEqual([...full, [10, 11]]);
});

it('a claim that waits for a ready job does not make the thread busy', () => {
  const { sent, outbox } = open(false);
  outbox.add(call(1, { group: 'engine', script: 'claim' }));
  outbox.add(call(2));
  expect(sent).toEqual([[1], [2]]);
});

describe.each([true, false])('messages to the store thread (one at a time: %s)', (oneAtATime) => {
  it('leave nothing behind at the close', async () => {
    const { sent, outbox } = open(oneAtATime);
    outbox.add(call(1));
    await turnOfTheLoop();
    outbox.add(call(2));
    outbox.close();
    await turnOfTheLoop();
    expect(sent).toEqual([[1], [2]]);
  });
});

it('writes leave while others are unanswered: the thread commits them together', async () => {
  const { sent, outbox } = open(false);
  outbox.add(call(1));
  await turnOfTheLoop();
  outbox.add(call(2));
  await turnOfTheLoop();
  expect(sent).toEqual([[1], [2]]);
});

it('reads wait together until every read of the message before is answered', async () => {
  const { sent, outbox } = open(true);
  outbox.add(call(1));
  outbox.add(call(2));
  await turnOfTheLoop();
  outbox.add(call(3));
  outbox.answered(1);
  await turnOfTheLoop();
  outbox.add(call(4));
  expect(sent).toEqual([[1, 2]]);
  outbox.answered(2);
  await turnOfTheLoop();
  expect(sent).toEqual([
    [1, 2],
    [3, 4],
  ]);
});
