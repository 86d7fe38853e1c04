import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelTokens as tokens } from '../../contract/test/model-tokens.ts';
import { startTestServer, type TestServer } from '../../server/test/support/start-server.ts';
import type { Bridge } from '../src/bridge.ts';
import { INSTRUCTIONS } from '../src/server/instructions.ts';
import type { SettingValues } from '../src/settings.ts';
import { chooseDirectTools } from '../src/tools/direct-tools.ts';
import type { Tool } from '../src/tools/tool.ts';
import { createTools } from '../src/tools/tool-list.ts';
import { bridgeTo } from './support/bridge.ts';
import { inProcessHost } from './support/in-process-host.ts';

let server: TestServer;
let everything: Bridge;

beforeAll(async () => {
  server = await startTestServer();
  everything = await bridgeTo(server, { values: { toolsets: 'all' } });
});
afterAll(() => server[Symbol.asyncDispose]());

async function toolsWith(values: SettingValues): Promise<readonly Tool[]> {
  return createTools(await bridgeTo(server, { values }));
}

/** Tools of every service there is, five at a time: the limit holds for one bridge, the rules for all tools. */
async function allTools(): Promise<readonly Tool[]> {
  const names = [...everything.offering.now.services.values()].map(({ toolName }) => toolName);
  const slices = Array.from({ length: Math.ceil(names.length / 16) }, (_, index) =>
    names.slice(index * 16, index * 16 + 16),
  );
  const lists = await Promise.all(slices.map((slice) => toolsWith({ tools: slice.join(',') })));
  return [...new Map(lists.flat().map((tool) => [tool.name, tool])).values()];
}

describe('the list of tools', () => {
  it('has at most 20 by default, 25 at most, and always the nine of the core', async () => {
    expect((await toolsWith({})).length).toBeLessThanOrEqual(20);
    const all = createTools(everything);
    expect(all).toHaveLength(25);
    expect(all.slice(0, 9).map(({ name }) => name)).toEqual([
      'session_status',
      'login_help',
      'list_institutions',
      'search_services',
      'describe_service',
      'run_service',
      'job_result',
      'job_list',
      'job_cancel',
    ]);
  });

  it('gives no name twice: what has none of its own is left to run_service', () => {
    const [first, second] = [...everything.offering.now.services.values()];
    if (!first || !second) throw new Error('too few services');
    const services = new Map(
      [
        first,
        { ...second, toolName: 'job_list' },
        { ...second, id: 'x.y', toolName: first.toolName },
      ].map((action) => [action.id, action]),
    );
    const settings = { toolsets: ['bank'], tools: [first.toolName, 'job_list'] } as const;
    expect(chooseDirectTools([], services, settings)).toEqual({
      names: new Map([[first.id, first.toolName]]),
      leftOut: ['job_list', first.toolName],
    });
  });

  it('costs at most 6,000 tokens by default, as it is sent', async () => {
    const host = await inProcessHost(await bridgeTo(server));
    const list = await host.client.listTools();
    expect(tokens(list)).toBeLessThanOrEqual(6_000);
    expect(list.tools.map(({ name }) => name)).toMatchSnapshot();
    // The whole of each tool, as a host gets it: what changes here changes what every model is told.
    for (const tool of list.tools) {
      const text = `${JSON.stringify(tool, null, 2)}\n`;
      await expect(text).toMatchFileSnapshot(`__snapshots__/tools/${tool.name}.json`);
    }
  });

  it('offers only what is public, and in read-only mode nothing irreversible', async () => {
    expect([...everything.offering.now.services.keys()]).not.toContain(
      'bank_d.accounts.transaction_history.search',
    );
    const careful = await bridgeTo(server, { values: { 'read-only': true, toolsets: 'tax' } });
    const destructive = createTools(careful).filter(
      ({ annotations }) => annotations.destructiveHint,
    );
    expect(destructive.map(({ name }) => name)).toEqual(['job_cancel']);
    const host = await inProcessHost(careful);
    const answer = await host.call('run_service', { service: 'tax_portal.c1.vat_standard' });
    expect(answer).toMatchObject({ status: 'REFUSED', error: { code: 'UNKNOWN_SERVICE' } });
  });

  it('refuses toolsets and tools that do not exist', async () => {
    await expect(toolsWith({ toolsets: 'banks' })).rejects.toThrow(
      '--toolsets must be some of bank, tax',
    );
    await expect(toolsWith({ tools: 'bank_z' })).rejects.toThrow('no tool bank_z');
  });
});

describe('every tool', () => {
  it('has a name, texts and hints that every host takes', async () => {
    for (const { name, title, description, annotations } of await allTools()) {
      expect(name).toMatch(/^[a-z][a-z0-9_]{0,39}$/);
      expect(name).not.toContain('__');
      expect(title).toMatch(/[가-힣]/);
      expect(description.length).toBeGreaterThan(20);
      expect(description.length).toBeLessThanOrEqual(1_000);
      expect(Object.values(annotations).map((hint) => typeof hint)).toEqual(
        Array.from({ length: 4 }, () => 'boolean'),
      );
    }
    expect(INSTRUCTIONS.length).toBeLessThan(2_048);
  });

  it('has schemas without anything that a host drops', async () => {
    for (const { name, inputSchema } of await allTools()) {
      expect(inputSchema.type).toBe('object');
      expect(inputSchema.additionalProperties).toBe(false);
      for (const [keyword, value] of keywordsOf(inputSchema)) {
        expect(['anyOf', 'oneOf', 'allOf', 'if', '$ref', 'format'], name).not.toContain(keyword);
        if (keyword === 'type') expect(typeof value, name).toBe('string');
      }
    }
  });

  it('has no argument that a credential could be put into', async () => {
    const credential =
      /passw|pin$|otp|cert_?data|key_?data|encrypted|secret|random_?enc|login_?id/i;
    for (const { name, inputSchema } of await allTools()) {
      const suspicious = Object.keys(inputSchema.properties).filter((one) => credential.test(one));
      expect(suspicious, name).toEqual([]);
    }
  });
});

/** Every keyword of a schema, those of its parts included; names of properties are not keywords. */
function* keywordsOf(schema: object): Generator<[string, unknown]> {
  for (const [keyword, value] of Object.entries(schema)) {
    yield [keyword, value];
    if (keyword === 'properties') {
      for (const part of Object.values<object>(value)) yield* keywordsOf(part);
    }
    if (keyword === 'items') yield* keywordsOf(value);
  }
}
