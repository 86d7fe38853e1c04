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

it('refuses control requests of web pages from other origins', async () => {
  expect(await status('/reset', { host: 'evil.example' })).toBe(403);
  expect(await status('/reset', { origin: 'https://evil.example' })).toBe(403);
});
