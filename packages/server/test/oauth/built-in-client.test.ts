import { expect, it } from 'vitest';
import { newStranger, registerClient, signIn, tokensOf } from '../support/oauth.ts';
import { bearer, newPerson } from '../support/people.ts';
import { startTestServer } from '../support/start-server.ts';

it('the client of the command line can be turned off, and its tokens with it (RFC 7662)', async () => {
  await using on = await startTestServer({ env: { OAUTH: 'on' } });
  const person = await newPerson(on);
  const commandLine = await newStranger(on, 'changgu-cli');
  const { access_token } = await tokensOf(commandLine, person);
  const off = await startTestServer({
    dataDir: on.dataDir,
    env: { OAUTH: 'on', OAUTH_COMMAND_LINE: 'off', PUBLIC_BASE_URL: on.url },
  });
  const statusAt = async (url: string) =>
    (await fetch(`${url}/v1/jobs`, { headers: bearer(access_token) })).status;
  expect(await Promise.all([statusAt(on.url), statusAt(off.url)])).toEqual([200, 401]);
  const asked = await fetch(`${off.url}/oauth/auth?client_id=changgu-cli&response_type=code`);
  expect([asked.status, await asked.text()]).toEqual([
    400,
    expect.stringContaining('invalid_client'),
  ]);
  const { client_id, client_secret } = await registerClient(on, {
    redirectUris: [],
    isConfidential: true,
    mayIntrospect: true,
  });
  const secret = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
  const introspected = async (url: string) => {
    const answer = await fetch(`${url}/oauth/token/introspection`, {
      method: 'POST',
      headers: { authorization: `Basic ${secret}` },
      body: new URLSearchParams({ token: access_token }),
    });
    return answer.json();
  };
  expect(await introspected(on.url)).toMatchObject({ active: true });
  expect(await introspected(off.url)).toEqual({ active: false });
  const other = await tokensOf(await newStranger(on), person);
  const ours = await fetch(`${off.url}/v1/jobs`, { headers: bearer(other.access_token) });
  expect(ours.status).toBe(200);
  await off.close();
}, 60_000);

it('the page names the place where the tokens will work', async () => {
  await using server = await startTestServer({ env: { OAUTH: 'on' } });
  const person = await newPerson(server);
  const stranger = await newStranger(server);
  const bridge = 'https://bridge.example/mcp';
  const name = '<b>Bridge</b>';
  await registerClient(server, { name, redirectUris: [], mayIntrospect: true, resource: bridge });
  const pageFor = async (resource: string) => {
    const begun = await stranger.begin({ resource });
    return (await signIn(begun, person)).text;
  };
  expect(await pageFor(`${server.url}/v1`)).toContain(`Changgu API <code>${server.url}/v1</code>`);
  expect(await pageFor(`${server.url}/mcp`)).toContain('Changgu tools (MCP)');
  expect(await pageFor(bridge)).toContain(`&#60;b&#62;Bridge&#60;/b&#62; <code>${bridge}</code>`);
}, 60_000);
