import { expect, it } from 'vitest';
import { isLoopback, isLoopbackHost } from './loopback.ts';

it.each(['http://localhost:1', 'http://127.0.0.1', 'http://127.9:80', 'http://[::1]:4010'])(
  'takes %s for the machine itself',
  (address) => {
    const { hostname, host } = new URL(address);
    expect([isLoopback(hostname), isLoopbackHost(host)]).toEqual([true, true]);
  },
);

it.each([
  'http://localhost.example',
  'http://128.0.0.1',
  'http://127.0.0.1.example',
  'http://[::2]',
])('takes %s for another machine', (address) => {
  const { hostname, host } = new URL(address);
  expect([isLoopback(hostname), isLoopbackHost(host)]).toEqual([false, false]);
});
