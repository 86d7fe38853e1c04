import { Changgu } from '@changgu/sdk';
import * as openid from 'openid-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser, type Shown } from '../support/browser.ts';
import {
  CALLBACK,
  chosenOn,
  newStranger,
  registerClient,
  signIn,
  type Tokens,
  tokensOf,
} from '../support/oauth.ts';
import { bearer, newPerson, type Person } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
let person: Person;

beforeAll(async () => {
  server = await startTestServer({ env: { OAUTH: 'on' } });
  person = await newPerson(server);
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

const hidden = ({ text }: Shown, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';

it('a machine without a browser shows a code, and a person approves elsewhere (RFC 8628)', async () => {
  const { client_id } = await registerClient(server, { redirectUris: [], device: true });
  const { config } = await newStranger(server, client_id);
  const device = await openid.initiateDeviceAuthorization(config, {
    scope: 'jobs:read',
    resource: `${server.url}/v1`,
  });
  const browser = openBrowser(CALLBACK);
  const input = await browser.open(device.verification_uri);
  expect(input.text).not.toContain('onfocus');
  expect(input.headers.get('content-security-policy')).not.toContain('script');
  const code = ['user_code', device.user_code] as const;
  const confirm = await browser.submit(input, [['xsrf', hidden(input, 'xsrf')], code]);
  expect(confirm.text).toContain(device.user_code);
  const page = await browser.submit(confirm, [
    ['xsrf', hidden(confirm, 'xsrf')],
    ['confirm', 'yes'],
    code,
  ]);
  const approval = await signIn({ browser, page, verifier: '', state: '' }, person);
  expect(approval.text).toContain('A device without a browser');
  const end = await browser.submit(approval, [...chosenOn(approval), ['decision', 'approve']]);
  expect(end.text).toContain('Connected');
  const { access_token } = await openid.pollDeviceAuthorizationGrant(config, {
    ...device,
    interval: 0,
  });
  const jobs = await fetch(`${server.url}/v1/jobs`, { headers: bearer(access_token) });
  expect(jobs.status).toBe(200);
  const [grant] = (await person.call('GET', '/v1/oauth/grants')).body.items;
  expect(grant).toMatchObject({ redirect_host: null, scopes: ['jobs:read'] });
});

it('the SDK calls with a function that gives the token', async () => {
  const stranger = await newStranger(server);
  let tokens: Tokens = await tokensOf(stranger, person);
  const client = new Changgu({
    baseUrl: server.url,
    async token() {
      tokens = await openid.refreshTokenGrant(stranger.config, tokens.refresh_token ?? '');
      return tokens.access_token;
    },
  });
  const job = await client.jobs.submit({ action: 'bank_a.accounts.list', params: {} });
  expect((await job.result()).data).toBeDefined();
  await expect(client.appCredentials.list()).rejects.toMatchObject({
    code: 'AUTH_FORBIDDEN_PRINCIPAL',
  });
  await client.close();
});
