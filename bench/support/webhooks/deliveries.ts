import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type ReceiverProcess,
  startReceiverProcess,
} from '../../../packages/server/test/support/receiver-process.ts';
import { issueKey, register } from '../people.ts';
import { type MeasuredServer, startChanggu } from '../server-process.ts';
import { submit } from '../submissions.ts';
import { addEndpoints, TYPES } from './endpoints.ts';

const ENDPOINTS = 100;
const EVENTS_PER_SECOND = 1_000;
/** A little more than the goal, so that the generator itself does not miss it. */
const OFFERED_PER_SECOND = EVENTS_PER_SECOND * 1.05;
const TICK_MS = 20;

/** One process that accepts jobs, runs them, and sends their events: how late do they come? */
export async function deliveries(seconds: number): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'changgu-bench-'));
  const receiver = await startReceiverProcess(join(dir, 'taken'));
  const server = await startChanggu();
  try {
    const keys: string[] = [];
    for (let n = 0; n < ENDPOINTS; n += 1) {
      const token = await register(server, n);
      await addEndpoints(server, token, 1, receiver.url);
      keys.push(await issueKey(server, token));
    }
    await measure(server, receiver, keys, seconds);
  } finally {
    await server.close();
    await receiver.kill();
    await rm(dir, { recursive: true, force: true });
  }
}

async function measure(
  server: MeasuredServer,
  receiver: ReceiverProcess,
  keys: readonly string[],
  seconds: number,
): Promise<void> {
  const before = await server.sample();
  const began = performance.now();
  const jobs = await submitEvenly(server, keys, seconds);
  const made = jobs * TYPES.length;
  const submitted = (performance.now() - began) / 1_000;
  while ((await receiver.taken()).length < made) await pause(100);
  const took = (performance.now() - began) / 1_000;
  const { loopP99Ms, cpuMs } = await server.sample();
  const late = (await receiver.taken()).map(({ afterMs }) => afterMs).toSorted((a, b) => a - b);
  const at = (part: number) => late[Math.floor(late.length * part)] ?? Number.NaN;
  console.log(
    `${made} events of ${jobs} jobs in ${submitted.toFixed(1)} s: ${(made / submitted).toFixed(0)} a second to ${ENDPOINTS} endpoints (goal ≥ ${EVENTS_PER_SECOND})`,
  );
  console.log(
    `taken ${at(0.5)} ms after the event (median), p99 ${at(0.99)} ms; the last ${((took - submitted) * 1_000).toFixed(0)} ms after the load ended`,
  );
  console.log(
    `event loop p99 ${loopP99Ms} ms; ${(((cpuMs - before.cpuMs) * 1_000) / made).toFixed(0)} µs of processor time for each event, with its share of the job`,
  );
}

/** As many jobs as bring that many events a second, one organization after the other. Answers how many. */
async function submitEvenly(
  server: MeasuredServer,
  keys: readonly string[],
  seconds: number,
): Promise<number> {
  const perMs = OFFERED_PER_SECOND / TYPES.length / 1_000;
  const began = performance.now();
  const answers: Promise<string>[] = [];
  for (let ms = 0; ms < seconds * 1_000; ms = performance.now() - began) {
    while (answers.length < ms * perMs) {
      const authorization = keys[answers.length % keys.length] ?? '';
      answers.push(submit(() => ({ url: server.url, authorization }), sandboxJob()));
    }
    await pause(TICK_MS);
  }
  await Promise.all(answers);
  return answers.length;
}

export function sandboxJob() {
  return {
    key: randomUUID(),
    envScope: 'sandbox' as const,
    body: { provider: 'bank_a', action: 'bank_a.accounts.list', params: {} },
  };
}
