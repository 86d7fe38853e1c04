import { fileURLToPath } from 'node:url';
import { Changgu } from '@changgu/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../server/test/support/start-server.ts';
import { createBridge } from '../src/create-bridge.ts';
import { readSettings } from '../src/settings.ts';
import { chooseDirectTools } from '../src/tools/direct-tools.ts';
import { createTools } from '../src/tools/tool-list.ts';
import { bridgeTo } from './support/bridge.ts';
import { FakeSetting } from './support/fake-bridge.ts';
import { type InProcessHost, inProcessHost } from './support/in-process-host.ts';

const CONNECTORS = fileURLToPath(
  new URL('../../../examples/own-institution/connectors.ts', import.meta.url),
);

let server: TestServer;
let host: InProcessHost;
beforeAll(async () => {
  server = await startTestServer({ env: { CONNECTORS } });
  host = await inProcessHost(await bridgeTo(server));
});
afterAll(() => server[Symbol.asyncDispose]());

describe("a team's own institution (D149)", () => {
  it('is found, described and run like the others', async () => {
    const found = await host.call('search_services', { query: '조합원 명부' });
    expect(found.data.services[0]).toMatchObject({ service: 'my_union.members.list' });
    const described = await host.call('describe_service', { service: 'my_union.members.list' });
    expect(described.data).toMatchObject({ irreversible: false, usage_tokens: 1 });
    const ran = await host.call('run_service', { service: 'my_union.members.list' });
    expect(ran).toMatchObject({ status: 'SUCCEEDED', service: 'my_union.members.list' });
  });

  it('is asked about where it cannot be undone, and absent in read-only mode', async () => {
    const service = 'my_union.certificates.issue';
    const asked = await host.call('run_service', { service });
    expect(asked).toMatchObject({
      status: 'CONFIRMATION_REQUIRED',
      data: { summary: expect.stringContaining('우리 조합') },
    });
    const careful = await bridgeTo(server, { values: { 'read-only': true } });
    expect([...careful.offering.now.services.keys()]).toContain('my_union.members.list');
    expect([...careful.offering.now.services.keys()]).not.toContain(service);
  });

  it('gets tools of its own by the toolset "other"', async () => {
    const tools = createTools(await bridgeTo(server, { values: { toolsets: 'other' } }));
    expect(tools.slice(9).map(({ name }) => name)).toEqual([
      'my_union_certificates_issue',
      'my_union_members_list',
    ]);
  });

  it('appears without a restart, and hosts are told that the tools have changed', async () => {
    const openapi = await (await fetch(new URL('/openapi.json', server.url))).json();
    const setting = new FakeSetting();
    let isThere = false;
    setting.service.route(({ path }) =>
      path === '/openapi.json' ? { status: 200, body: isThere ? openapi : {} } : null,
    );
    const late = await setting.host({ toolsets: 'other' });
    const names = async () => (await late.client.listTools()).tools.map(({ name }) => name);
    expect(await names()).toHaveLength(9);
    const told = Promise.withResolvers<void>();
    late.client.setNotificationHandler('notifications/tools/list_changed', () => told.resolve());
    isThere = true;
    await setting.service.clock.advance(61_000);
    const described = await setting.timed(
      late.call('describe_service', { service: 'my_union.members.list' }),
    );
    expect(described.answer).toMatchObject({ status: 'OK' });
    await told.promise;
    expect(await names()).toContain('my_union_members_list');
  });

  it('is logged in by the action that opens its session, whatever that is named (D149)', async () => {
    const openapi = await (await fetch(new URL('/openapi.json', server.url))).json();
    const [own] = openapi['x-own-institutions'];
    const [action] = own.actions;
    const named = (name: string, loginAction: string | null) => ({
      ...action,
      id: `my_union.${name}`,
      toolName: `my_union_${name}`,
      irreversible: false,
      loginAction,
    });
    const actions = [
      named('check_weblogin', null),
      named('members', 'my_union.sign_in'),
      named('sign_in', null),
    ];
    const setting = new FakeSetting();
    const document = { ...openapi, 'x-own-institutions': [{ ...own, actions }] };
    setting.service.route(({ path }) =>
      path === '/openapi.json' ? { status: 200, body: document } : null,
    );
    const there = await setting.host({ toolsets: 'other' });
    const { tools } = await there.client.listTools();
    const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint === false);
    expect(writing.map(({ name }) => name).filter((name) => name.startsWith('my_union'))).toEqual([
      'my_union_sign_in',
    ]);
    const help = await there.call('login_help', { institution: 'my_union' });
    expect(help.data.institutions[0].login).toMatchObject({ tool: 'my_union_sign_in' });
  });

  it('is run by run_service where its name is none that hosts take', async () => {
    const client = new Changgu({ baseUrl: server.url });
    const [own] = await client.ownInstitutions();
    await client.close();
    if (!own) throw new Error('no own institution');
    const actions = own.actions.map((action, at) => ({ ...action, toolName: `${at} 명부` }));
    const services = new Map(actions.map((action) => [action.id, action]));
    const settings = readSettings({ toolsets: 'other' });
    expect(chooseDirectTools([own], services, settings)).toEqual({
      names: new Map(),
      leftOut: ['0 명부', '1 명부'],
    });
  });

  it.each([
    ['a service that does not answer', () => new Promise<never>(() => {})],
    ['a document that is none', () => ({ status: 200, body: { 'x-own-institutions': [{}] } })],
  ])('is not known by %s, and the rest is there', async (_what, answer) => {
    const { service } = new FakeSetting();
    service.route(({ path }) => (path === '/openapi.json' ? answer() : null));
    const warnings: unknown[] = [];
    const log = { info() {}, error() {}, warn: (...line: unknown[]) => void warnings.push(line) };
    const options = { settings: readSettings({}), client: service.clientOptions, log };
    const bridge = await service.clock.runUntil(createBridge({ ...options, clock: service.clock }));
    expect(bridge.offering.now.services.size).toBeGreaterThan(20);
    expect(warnings).toEqual([['own institutions could not be read', expect.anything()]]);
  });
});
