import { Changgu } from '@changgu/sdk';
import * as openid from 'openid-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Browser, openBrowser, type Shown } from '../support/browser.ts';
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

/** A device begins; `confirm` is the page on which a person compares the codes. */
async function beginDevice(parameters: Record<string, string>) {
  const { client_id } = await registerClient(server, { redirectUris: [], device: true });
  const { config } = await newStranger(server, client_id);
  const device = await openid.initiateDeviceAuthorization(config, {
    resource: `${server.url}/v1`,
    ...parameters,
  });
  const browser = openBrowser(CALLBACK);
  const code = ['user_code', device.user_code] as const;
  const input = await browser.open(device.verification_uri);
  const confirm = await enter(browser, input, [code]);
  const poll = () => openid.pollDeviceAuthorizationGrant(config, { ...device, interval: 0 });
  return { browser, input, code, confirm, poll };
}

const enter = (browser: Browser, page: Shown, fields: readonly (readonly [string, string])[]) =>
  browser.submit(page, [['xsrf', hidden(page, 'xsrf')], ...fields]);

async function approvalPage({ browser, confirm, code }: Awaited<ReturnType<typeof beginDevice>>) {
  const page = await enter(browser, confirm, [['confirm', 'yes'], code]);
  return signIn({ browser, page, verifier: '', state: '' }, person);
}

it('a machine without a browser shows a code, and a person approves elsewhere (RFC 8628)', async () => {
  const begun = await beginDevice({ scope: 'jobs:read' });
  const { browser, input, confirm, code } = begun;
  expect(input.text).not.toContain('onfocus');
  expect(input.headers.get('content-security-policy')).not.toContain('script');
  expect(confirm.text).toContain(code[1]);
  const approval = await approvalPage(begun);
  expect(approval.text).toContain('A device without a browser');
  const end = await browser.submit(approval, [...chosenOn(approval), ['decision', 'approve']]);
  expect(end.text).toContain('Connected');
  const { access_token } = await begun.poll();
  const jobs = await fetch(`${server.url}/v1/jobs`, { headers: bearer(access_token) });
  expect(jobs.status).toBe(200);
  const [grant] = (await person.call('GET', '/v1/oauth/grants')).body.items;
  expect(grant).toMatchObject({ redirect_host: null, scopes: ['jobs:read'] });
});

const USUAL = ['jobs:read', 'jobs:submit', 'links:read'];
const scopesOf = ({ scope = '' }: { readonly scope?: string | undefined }) =>
  scope.split(' ').sort();

it('a machine that names no scope gets what its person approved (D167)', async () => {
  const begun = await beginDevice({});
  const approval = await approvalPage(begun);
  await begun.browser.submit(approval, [...chosenOn(approval), ['decision', 'approve']]);
  expect(scopesOf(await begun.poll())).toEqual(USUAL);
});

it.each(['', 'openid', 'offline_access'])(
  'a program that asks for "%s" gets it too (D167)',
  async (scope) => {
    const stranger = await newStranger(server);
    expect(scopesOf(await tokensOf(stranger, person, { scope }))).toEqual(USUAL);
  },
);

it('tells a person who refused a machine that it is not connected, not that the code is wrong', async () => {
  const canceled = await beginDevice({});
  const { browser, confirm, code } = canceled;
  const aborted = await enter(browser, confirm, [['abort', 'yes'], code]);
  expect(aborted.text).toContain('The device was not connected');
  expect(aborted.text).not.toContain('<form');

  const denied = await beginDevice({});
  const approval = await approvalPage(denied);
  const end = await denied.browser.submit(approval, [['decision', 'deny']]);
  expect(end.text).toContain('The device was not connected');
  await expect(denied.poll()).rejects.toMatchObject({ error: 'access_denied' });

  const again = await browser.open(`${server.url}/oauth/device`);
  const used = await enter(browser, again, [code]);
  expect(used.text).toContain('already used');
  expect((await enter(browser, used, [['user_code', 'BBBB-BBBB']])).text).toContain('is wrong');
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
