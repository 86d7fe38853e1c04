import type { AddressInfo } from 'node:net';
import { refuseForeign } from '../../../src/dev/loopback-only.ts';
import { answerExchange } from '../../../src/mcp/exchange.ts';
import { mcpRoute } from '../../../src/mcp/route.ts';
import { limit, refuse } from '../../../src/mcp/serve-mcp.ts';
import { CLIENT, testApp } from '../http-app.ts';
import { createFixtureServer } from './fixture-server.ts';

/**
 * POST /mcp of the product's own app, with the fixtures behind it in place of the catalog. The suite can send
 * no credentials, so everyone is let in.
 */
export async function serveFixture(): Promise<{ url: string; close: () => Promise<void> }> {
  const app = testApp({
    gate: {
      admit: async () => ({ principal: CLIENT, envScope: 'sandbox', rate: null }),
      charge: () => {},
      guessed: () => {},
      failed: async () => {},
      stillAdmits: async () => true,
    },
    refuse: ({ headers }) => refuseForeign(headers),
  });
  mcpRoute(app, async () => ({
    refuse,
    limit,
    answer: (request) =>
      answerExchange({
        ...request,
        language: 'en',
        stopWaiting: request.caller.stopWaiting,
        createServer: createFixtureServer,
      }),
  }));
  await app.fastify.listen({ host: '127.0.0.1', port: 0 });
  // A TCP server that listens has one.
  const { port } = app.fastify.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, close: () => app.fastify.close() };
}
