import { McpServer } from '@modelcontextprotocol/server';
import { addElicitations } from './elicitations.ts';
import { addInputs, stateCodec } from './inputs.ts';
import { addPrompts } from './prompts.ts';
import { addResources } from './resources.ts';
import { addTools } from './tools.ts';

/** What the official conformance suite expects of the server under test; never part of the product. */
export function createFixtureServer(): McpServer {
  const cacheHint = { ttlMs: 60_000, cacheScope: 'private' } as const;
  const server = new McpServer(
    { name: 'conformance-fixture', version: '1.0.0' },
    {
      capabilities: {
        logging: {},
        completions: {},
        resources: { subscribe: true, listChanged: false },
        tools: { listChanged: false },
        prompts: { listChanged: false },
      },
      requestState: { verify: stateCodec.verify },
      cacheHints: {
        'tools/list': cacheHint,
        'prompts/list': cacheHint,
        'resources/list': cacheHint,
        'resources/templates/list': cacheHint,
        'resources/read': cacheHint,
        'server/discover': cacheHint,
      },
    },
  );
  addTools(server);
  addElicitations(server);
  addInputs(server);
  addPrompts(server);
  addResources(server);
  return server;
}
