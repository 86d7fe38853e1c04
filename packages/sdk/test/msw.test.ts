import { Changgu } from '@changgu/sdk';
import { changguHandlers, FakeService } from '@changgu/sdk/testing';
import { HttpRequestInterceptor } from '@mswjs/interceptors/http';
import { http, passthrough } from 'msw';
import { defineNetwork, InterceptorSource } from 'msw/experimental';
import { setupServer } from 'msw/node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ACTION } from './support/fake.ts';

describe('the fake behind msw', () => {
  it('answers the Node transport, undici, when msw watches at the HTTP level', async () => {
    const service = new FakeService({ baseUrl: 'https://service.example' });
    const network = defineNetwork({
      sources: [new InterceptorSource({ interceptors: [new HttpRequestInterceptor()] })],
      handlers: [...changguHandlers(service, http), http.all('http://127.0.0.1:*/*', passthrough)],
      onUnhandledFrame: 'error',
      context: { quiet: true },
    });
    network.enable();
    onTestFinished(() => network.disable());
    const { fetch: _, clock: __, ...options } = service.clientOptions;
    await using client = new Changgu(options);
    const handle = await client.jobs.submit({ action: ACTION });
    await service.clock.advance(2000);
    expect(await handle.result()).toMatchObject({ sandbox: true });
    expect(service.jobs).toHaveLength(1);
  });

  it('answers a client on the global fetch through setupServer', async () => {
    const service = new FakeService({ baseUrl: 'https://service.example' });
    const server = setupServer(...changguHandlers(service, http));
    server.listen({ onUnhandledFrame: 'error' });
    onTestFinished(() => server.close());
    const client = new Changgu({
      ...service.clientOptions,
      fetch: (...args) => globalThis.fetch(...args),
    });
    const { id } = await client.jobs.submit({ action: ACTION });
    expect(service.jobs.map((job) => job.id)).toEqual([id]);
  });
});
