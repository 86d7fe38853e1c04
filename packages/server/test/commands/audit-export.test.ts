import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { serverProgram } from '../../../../scripts/programs.ts';
import { newPerson } from '../support/people.ts';
import { startTestServer } from '../support/start-server.ts';

it('audit export --follow prints what happens while it runs, and ends when it is told to', {
  timeout: 60_000,
}, async () => {
  await using server = await startTestServer();
  const follow = ['audit', 'export', '--follow', '--data-dir', server.dataDir];
  const child = spawn(process.execPath, [...serverProgram(), ...follow], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? '{}');
  const first = await next();
  expect(first).toMatchObject({ seq: 1, chain_number: 1 });
  const { userId } = await newPerson(server);
  let record = first;
  while (record.act !== 'user.log_in' || record.actor_id !== String(userId)) {
    const { seq } = record;
    record = await next();
    expect(record.seq).toBe(seq + 1);
  }
  child.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
});
