import { fileURLToPath } from 'node:url';
import { Changgu } from '@changgu/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPortal } from '../../../../examples/own-institution/portal.ts';
import { encrypt } from '../support/encrypt.ts';
import { callerWith, logIn } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

const CONNECTORS = fileURLToPath(
  new URL('../../../../examples/own-institution/connectors.ts', import.meta.url),
);

let portal: Awaited<ReturnType<typeof startPortal>>;
let server: TestServer;
let client: Changgu;
beforeAll(async () => {
  portal = await startPortal();
  server = await startTestServer({ env: { CONNECTORS, REAL_TEST_URL_MY_UNION: portal.url } });
  client = new Changgu({
    baseUrl: server.url,
    clientId: server.client.client_id,
    clientSecret: server.client.client_secret,
    envScope: 'real_test',
  });
  const { email, password } = server.console;
  const owner = callerWith(server, await logIn(server, email, password));
  const linked = await owner('POST', '/v1/credentials/link', {
    provider: 'my_union',
    login_id: encrypt('kim'),
    login_password: encrypt('union-pass'),
  });
  if (linked.status !== 201) throw new Error(JSON.stringify(linked.body));
});
afterAll(async () => {
  await client.close();
  await server[Symbol.asyncDispose]();
  portal.close();
});

describe("a team's own institution in a running server (D149)", () => {
  it('is linked and read like the others', async () => {
    const { data, schema } = await client.jobs.run({ action: 'my_union.members.list' });
    expect(schema).toBe('my_union.members.list.v1');
    expect(data).toMatchObject({ row_count: 2, items: [{ name: '김조합' }, { name: '이조합' }] });
  });

  it('issues once, past the point of no return', async () => {
    const action = 'my_union.certificates.issue';
    const { data } = await client.jobs.run({ action, params: { purpose: '제출용' } });
    expect(data).toMatchObject({ certificate_no: '2026-1' });
    expect(portal.issued()).toBe(1);
  });

  it('has its params checked by its schema, and a sandbox', async () => {
    const body = {
      provider: 'my_union',
      action: 'my_union.certificates.issue',
      params: { purpose: 1 },
    };
    const refused = await server.call('POST', '/v1/jobs', { env: 'real_test', key: 'own', body });
    expect(refused.status).toBe(422);
    const sandbox = await server.call('POST', '/v1/jobs', {
      key: 'own-sandbox',
      body: { provider: 'my_union', action: 'my_union.members.list' },
    });
    expect(sandbox.status).toBe(202);
  });

  it('is in the OpenAPI document with all that the catalog knows of it', async () => {
    const { body } = await server.call('GET', '/openapi.json');
    const [own, ...others] = body['x-own-institutions'];
    expect(others).toEqual([]);
    expect(own).toMatchObject({
      provider: 'my_union',
      actions: [
        { id: 'my_union.members.list', irreversible: false },
        { id: 'my_union.certificates.issue', irreversible: true },
      ],
    });
  });

  it('is in the list of institutions', async () => {
    const { items } = await client.institutions.list();
    const own = items.find(({ provider }) => provider === 'my_union');
    expect(own).toMatchObject({ name: '우리 조합', configured: true, state: 'HEALTHY' });
    expect(own?.actions).toHaveLength(2);
  });

  it('is in the OpenAPI document', async () => {
    const { body } = await server.call('GET', '/openapi.json');
    expect(JSON.stringify(body).includes('my_union.members.list')).toBe(true);
  });
});
