import dns from 'node:dns';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { useBuiltinSpies } from '../../../test/support/builtin-spies.ts';
import { createPortalHttp } from './http-client.ts';

type Answer = (error: null, addresses: { address: string; family: number }[]) => void;

/** Every name stands for this machine, as a name server with bad intentions would have it. */
const lookup = vi.fn<(name: string, options: object, answer: Answer) => void>();

useBuiltinSpies(() => {
  lookup.mockImplementation((_name, _options, answer) =>
    answer(null, [{ address: '127.0.0.1', family: 4 }]),
  );
  // One of the many shapes that the real one has.
  vi.spyOn(dns, 'lookup').mockImplementation(lookup as unknown as typeof dns.lookup);
});

let asked = 0;
const server = createServer((_, response) => {
  asked += 1;
  response.end();
});
const http = createPortalHttp();

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(async () => {
  await http.close();
  server.close();
});

it('D141 no institution of a public name is asked at a private address', async () => {
  const { port } = server.address() as AddressInfo;
  const signal = AbortSignal.timeout(10_000);
  const portal = http.open({ baseUrl: `http://portal.example:${port}`, signal });
  await expect(portal.request({ path: '/' })).rejects.toMatchObject({
    code: 'PROVIDER_UPSTREAM_ERROR',
  });
  expect(lookup).toHaveBeenCalled();
  expect(asked).toBe(0);

  const configured = http.open({ baseUrl: `http://127.0.0.1:${port}`, signal });
  expect((await configured.request({ path: '/' })).status).toBe(200);
});
