import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createOutbox, type Outbox } from './sqlite-outbox.ts';

function open(oneAtATime: boolean): { readonly sent: number[][]; readonly outbox: Outbox } {
  const sent: number[][] = [];
  const outbox = createOutbox((calls) => sent.push(calls.map(({ id }) => id)), { oneAtATime });
  return { sent, outbox };
}

function call(id: number) {
  return { id, group: 'jobs', script: 'read', input: null };
}

describe.each([true, false])('messages to the store thread (one at a time: %s)', (oneAtATime) => {
  it('carry all calls of a turn of the event loop, in order', async () => {
    const { sent, outbox } = open(oneAtATime);
    outbox.add(call(1));
    outbox.add(call(2));
    expect(sent).toEqual([]);
    await turnOfTheLoop();
    expect(sent).toEqual([[1, 2]]);
  });

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
  outbox.answered();
  await turnOfTheLoop();
  outbox.add(call(4));
  expect(sent).toEqual([[1, 2]]);
  outbox.answered();
  await turnOfTheLoop();
  expect(sent).toEqual([
    [1, 2],
    [3, 4],
  ]);
});
