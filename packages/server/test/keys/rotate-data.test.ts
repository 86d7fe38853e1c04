import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serverProgram } from '../../../../scripts/programs.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
const started: ChildProcess[] = [];
beforeAll(async () => {
  server = await startTestServer();
}, 60_000);
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  await server[Symbol.asyncDispose]();
});

/** Runs the command beside the running server; answers its process and the phases that it tells of. */
function rotate(waitSeconds: number) {
  const args = ['keys', 'rotate-data', '--wait', `${waitSeconds}`, '--data-dir', server.dataDir];
  const child = spawn(process.execPath, [...serverProgram(), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  return { child, lines: createInterface({ input: child.stdout }) };
}

it('resumes after SIGKILL and leaves every value readable by the server that runs (D64)', {
  timeout: 60_000,
}, async () => {
  const { body } = await server.call('POST', '/v1/jobs', {
    key: 'rotated',
    body: { provider: 'bank_b', action: 'bank_b.accounts.list', params: {} },
  });
  await server.ended(body.job_id);
  const result = () => server.call('GET', `/v1/jobs/${body.job_id}/result`);
  const before = await result();

  const first = rotate(600);
  for await (const line of first.lines) if (JSON.parse(line).phase === 'waiting') break;
  first.child.kill('SIGKILL');
  await once(first.child, 'close');

  const second = rotate(0);
  const told: { phase: string; unreadable: number }[] = [];
  for await (const line of second.lines) told.push(JSON.parse(line));
  expect(told.at(-1)).toMatchObject({ phase: 'done', unreadable: 0 });
  expect(await result()).toMatchObject({ status: 200, body: { result: before.body.result } });
});
