import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newAuthenticator } from '../support/authenticator.ts';
import { chosenOn, newStranger, type Stranger, signIn } from '../support/oauth.ts';
import { newMember, newPerson, type Person } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
let owner: Person;
let stranger: Stranger;
let secret = '';

/** Codes of neighboring steps are taken too, so that a test need not wait for the next. */
const codeOf = (ahead: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + ahead * 30_000,
  });

beforeAll(async () => {
  server = await startTestServer({ env: { OAUTH: 'on' } });
  owner = await newPerson(server);
  stranger = await newStranger(server);
  const { password } = owner;
  const { body } = await owner.call('POST', '/v1/me/factors', { kind: 'totp', password });
  secret = body.secret;
  const code = codeOf(-1);
  await owner.call('POST', `/v1/me/factors/${body.factor_id}/confirm`, { code });
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

it('the page asks for the second factor of those who have one', async () => {
  const begun = await stranger.begin();
  expect(begun.page.text).not.toContain('factor_code');
  const asking = await signIn(begun, owner);
  expect(asking).toMatchObject({ status: 401, text: expect.stringContaining('factor_code') });
  const { email, password } = owner;
  const page = await begun.browser.submit(asking, [
    ['email', email],
    ['password', password],
    ['factor_code', codeOf(0)],
    ['decision', 'sign_in'],
  ]);
  const end = await begun.browser.submit(page, [...chosenOn(page), ['decision', 'approve']]);
  expect((await stranger.finish(begun, end)).access_token).toBeDefined();
});

it('refuses approval without one where the organization demands it', async () => {
  const administrator = await newMember(server, owner, 'ADMIN');
  const demanded = await owner.call('PATCH', '/v1/organization', { second_factor_required: true });
  expect(demanded.status).toBe(200);
  const begun = await stranger.begin();
  const page = await signIn(begun, administrator);
  const refused = await begun.browser.submit(page, [...chosenOn(page), ['decision', 'approve']]);
  expect(refused.status).toBe(403);
  expect(refused.text).toContain('role="alert"');
  const grants = await owner.call('GET', '/v1/oauth/grants');
  const approvers = grants.body.items.map((each: { approved_by: number }) => each.approved_by);
  expect(approvers).not.toContain(administrator.userId);
});

it('takes a passkey alone, where the browser has one', async () => {
  const person = await newPerson(server);
  const authenticator = newAuthenticator(passkeyOrigin());
  const { body: adding } = await person.call('POST', '/v1/me/factors/passkeys/options', {
    password: person.password,
  });
  const { attempt, public_key } = adding;
  const credential = authenticator.create(public_key);
  const added = await person.call('POST', '/v1/me/factors/passkeys', { attempt, credential });
  expect(added.status).toBe(201);

  const begun = await stranger.begin();
  expect(begun.page.headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(begun.page.text).toContain('<script src="../../auth/passkey.js" defer></script>');
  const script = await fetch(new URL('../../auth/passkey.js', begun.page.url));
  expect(script.headers.get('content-type')).toContain('text/javascript');
  const asked = (await server.call('POST', '/v1/auth/passkey/options')).body;
  const proof = {
    attempt: asked.attempt,
    credential: authenticator.get(asked.public_key),
  };
  const send = (passkey: string) =>
    begun.browser.submit(begun.page, [
      ['passkey', passkey],
      ['decision', 'passkey'],
    ]);
  const page = await send(JSON.stringify(proof));
  expect(page.text).toContain(person.email);
  expect(page.text).not.toContain('<script');
  const end = await begun.browser.submit(page, [...chosenOn(page), ['decision', 'approve']]);
  expect((await stranger.finish(begun, end)).access_token).toBeDefined();
});

it.each(['', '{', '{}', 'null'])('refuses %j in place of a passkey', async (passkey) => {
  const begun = await stranger.begin();
  const refused = await begun.browser.submit(begun.page, [
    ['passkey', passkey],
    ['decision', 'passkey'],
  ]);
  expect(refused.status).toBe(422);
});

/** Browsers give passkeys to names only. */
function passkeyOrigin(): string {
  return server.url.replace('127.0.0.1', 'localhost');
}
