import dns from 'node:dns';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { useBuiltinSpies } from '../../../test/support/builtin-spies.ts';
import { isPrivateAddress } from './address-guard.ts';
import { createPortalHttp } from './client/http-client.ts';

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

it('no institution with a public name is contacted at a private address (D141)', async () => {
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

it.each([
  '127.0.0.1',
  '169.254.169.254',
  '::1',
  '::127.0.0.1',
  '::ffff:10.0.0.1',
  '64:ff9b::a00:1',
  '64:ff9b:1::a00:1',
  '2001::1',
  '2002:7f00:1::',
  'fc00::1',
  'fe80::1',
  'fec0::1',
  'not an address',
])('refuses %s as the address of an institution (D141)', (address) => {
  expect(isPrivateAddress(address)).toBe(true);
});

it.each(['203.0.113.9', '2606:4700::1111', '2400:cb00::1'])('%s may be one (D141)', (address) => {
  expect(isPrivateAddress(address)).toBe(false);
});
