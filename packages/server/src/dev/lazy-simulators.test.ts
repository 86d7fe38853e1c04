import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LazySimulators, lazySimulators } from './lazy-simulators.ts';

let simulators: LazySimulators;
beforeAll(async () => {
  simulators = await lazySimulators(() => Date.now());
});
afterAll(() => simulators.close());

function status(path: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { path, headers };
    const asked = request(simulators.controlUrl, options, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.on('error', reject).end();
  });
}

it('forwards the control address to the simulators only', async () => {
  let asked = 0;
  const elsewhere = createServer((_, response) => {
    asked += 1;
    response.end();
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  const { port } = elsewhere.address() as AddressInfo;
  expect(await status(`//127.0.0.1:${port}/x`)).toBe(404);
  expect(await status(`http://127.0.0.1:${port}/x`)).toBe(404);
  expect(asked).toBe(0);
  elsewhere.close();
});

it('tells the states of the simulators, and changes them, starting them for it only', async () => {
  const { control } = simulators;
  expect((await control.list()).every(({ state }) => state === 'HEALTHY')).toBe(true);
  const down = { provider: 'bank_b', state: 'DOWN' };
  expect(await control.setState('bank_b', { state: 'DOWN' })).toEqual(down);
  expect(await control.list()).toContainEqual(down);
  expect(await control.list()).toHaveLength(7);
  expect(await control.setState('../reset', { state: 'DOWN' })).toBeNull();
  await control.setState('bank_b', { state: 'HEALTHY', latency_ms: 5 });
});

it('refuses control requests of web pages from other origins', async () => {
  expect(await status('/reset', { host: 'evil.example' })).toBe(403);
  expect(await status('/reset', { origin: 'https://evil.example' })).toBe(403);
});
