import { createHash } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOAuthGrantId } from '../../src/ids.ts';
import { type Mailbox, openMailbox, type ReceivedLetter } from '../support/mailbox.ts';
import {
  callerWith,
  logIn,
  newPerson,
  type Person,
  proveAddress,
  tokenIn,
} from '../support/people.ts';
import { type Answer, startTestServer, type TestServer } from '../support/start-server.ts';

let mailbox: Mailbox;
let server: TestServer;
const log: string[] = [];

beforeAll(async () => {
  mailbox = await openMailbox();
  server = await startTestServer({ env: { SMTP_URL: mailbox.url }, log });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await mailbox.close();
});

const told = async (answer: Promise<Answer>) => {
  const { status, body } = await answer;
  return body.error ? `${status} ${body.error.code}` : status;
};
const post = (path: string, body: unknown, at = server) => at.call('POST', path, { body });
const tokenOf = ({ text }: ReceivedLetter) =>
  tokenIn(/https?:\/\/\S+#token=\S+/.exec(text)?.[0] ?? 'http://none');
const resetLetter = async ({ email }: Person) => {
  expect((await post('/v1/auth/password-reset', { email })).status).toBe(202);
  return mailbox.letterTo(email, '/console/reset-password');
};
const isVerified = async (person: Person) =>
  (await person.call('GET', '/v1/auth/session')).body.email_verified;

it('a member whose factors an owner removed gets a notice, without a token', async () => {
  const owner = await newPerson(server);
  const email = 'lost-the-phone@example.com';
  await owner.call('POST', '/v1/members/invitations', { email, role: 'MEMBER' });
  const token = tokenOf(await mailbox.letterTo(email, '/console/accept-invitation'));
  const agreed = { agree_terms: true, agree_privacy: true };
  const body = { token, name: '김구성', password: 'a fresh passphrase 9', ...agreed };
  const { user_id: userId } = (await post('/v1/auth/invitations/accept', body)).body;
  expect((await owner.call('DELETE', `/v1/members/${userId}/factors`)).status).toBe(200);
  const letter = await mailbox.letterTo(email, '/console/account');
  expect(letter.text).toContain('all your second factors');
  expect(letter.text).not.toContain('token');
});

describe('an address is proven by what was sent to it', () => {
  it('registration sends a link, which works once', async () => {
    const person = await newPerson(server);
    expect(await isVerified(person)).toBe(false);
    const token = tokenOf(await mailbox.letterTo(person.email, '/console/verify-email'));
    const verify = () => post('/v1/auth/verify-email', { token });
    expect((await verify()).body).toEqual({ email: person.email, status: 'VERIFIED' });
    expect(await told(verify())).toBe('400 LINK_INVALID');
    expect(await isVerified(person)).toBe(true);
    expect(await told(person.call('POST', '/v1/me/email-verification'))).toBe('409 CONFLICT_STATE');
  });

  it('a fourth link within an hour is refused, and not only left out (D168)', async () => {
    const person = await newPerson(server);
    const again = () => told(person.call('POST', '/v1/me/email-verification'));
    expect([await again(), await again(), await again()]).toEqual([202, 202, '429 RATE_LIMITED']);
  });

  it('an invitation is sent, not told, and proves the address of who accepts it', async () => {
    const owner = await newPerson(server);
    const email = 'invited-by-mail@example.com';
    const { body } = await owner.call('POST', '/v1/members/invitations', { email, role: 'MEMBER' });
    expect(body.link).toBeNull();
    const letter = await mailbox.letterTo(email, '/console/accept-invitation');
    const password = 'a fresh passphrase 7';
    await post('/v1/auth/invitations/accept', {
      token: tokenOf(letter),
      name: '새 사람',
      password,
      agree_terms: true,
      agree_privacy: true,
    });
    const token = await logIn(server, email, password);
    const session = await server.call('GET', '/v1/auth/session', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(session.body).toMatchObject({ email_verified: true, role: 'MEMBER' });
  });
});

/** Adds an authenticator app as second factor. */
async function addApp(person: Person): Promise<void> {
  const { password } = person;
  const { body } = await person.call('POST', '/v1/me/factors', { kind: 'totp', password });
  const code = new TOTP({ secret: Secret.fromBase32(body.secret) }).generate();
  const path = `/v1/me/factors/${body.factor_id}/confirm`;
  expect(await told(person.call('POST', path, { code }))).toBe(200);
}

describe('password reset', () => {
  it('sets a new password, ends every session, and works once', async () => {
    const person = await newPerson(server);
    const token = tokenOf(await resetLetter(person));
    const confirm = (new_password: string) =>
      post('/v1/auth/password-reset/confirm', { token, new_password });
    expect(await told(confirm('short'))).toBe('400 PASSWORD_POLICY');
    expect(await told(confirm('a renewed passphrase'))).toBe(200);
    expect(await told(confirm('another passphrase 2'))).toBe('400 LINK_INVALID');
    expect(await told(person.call('GET', '/v1/auth/session'))).toBe('401 AUTH_INVALID_CREDENTIALS');
    await expect(logIn(server, person.email, person.password)).rejects.toThrow();
    expect(await logIn(server, person.email, 'a renewed passphrase')).toBeTruthy();
  });

  it('takes back an address that another person has registered', async () => {
    const planted = await newPerson(server);
    const token = tokenOf(await resetLetter(planted));
    await post('/v1/auth/password-reset/confirm', { token, new_password: 'mine from now on' });
    const mine = await logIn(server, planted.email, 'mine from now on');
    const session = await server.call('GET', '/v1/auth/session', {
      headers: { authorization: `Bearer ${mine}` },
    });
    expect(session.body.email_verified).toBe(true);
  });

  it('takes it back without the second factor that the other person added (D168)', async () => {
    const planted = await newPerson(server);
    await addApp(planted);
    const token = tokenOf(await resetLetter(planted));
    const reset = { token, new_password: 'mine from now on' };
    expect(await told(post('/v1/auth/password-reset/confirm', reset))).toBe(200);
    const mine = callerWith(server, await logIn(server, planted.email, reset.new_password));
    const factors = { items: [], recovery_codes_left: 0 };
    expect((await mine('GET', '/v1/me/factors')).body).toMatchObject(factors);
  });

  /** All that lets programs and others in, as whoever holds the account can set it up. */
  async function openDoors({ call, userId, organizationId }: Person) {
    const { body: key } = await call('POST', '/v1/app-credentials', { label: 'k' });
    const url = 'https://receiver.example/hook';
    const hook = { url, event_types: ['job.finished'], env_scope: 'sandbox' };
    await call('POST', '/v1/webhooks', hook);
    const invited = { email: `friend-of-${userId}@example.com`, role: 'OWNER' };
    await call('POST', '/v1/members/invitations', invited);
    await server.core.store.oauthGrants.approve({
      id: newOAuthGrantId(),
      organizationId,
      userId,
      clientId: 'a-client',
      clientName: 'A client',
      redirectHost: null,
      scopes: ['jobs:read'],
      envScopes: ['sandbox'],
      allowedActions: null,
      expiresAt: Date.now() + 3_600_000,
      actor: { kind: 'console_user', id: String(userId), traceId: null },
    });
    return { key, invitation: tokenOf(await mailbox.letterTo(invited.email, '/console/accept')) };
  }

  /** What of it is still open, by a session of today. */
  async function openOf(person: Person, password: string) {
    const mine = callerWith(server, await logIn(server, person.email, password));
    const items = async (path: string) => (await mine('GET', path)).body.items;
    const statuses = async (path: string) =>
      (await items(path)).map(({ status }: { status: string }) => status);
    return {
      keys: await statuses('/v1/app-credentials'),
      grants: await statuses('/v1/oauth/grants'),
      webhooks: await statuses('/v1/webhooks'),
      invitations: (await items('/v1/members/invitations')).length,
    };
  }

  it('takes it back without any way in that the other person opened (D168)', async () => {
    const planted = await newPerson(server);
    const { key, invitation } = await openDoors(planted);
    const token = tokenOf(await resetLetter(planted));
    const reset = { token, new_password: 'mine from now on' };
    expect(await told(post('/v1/auth/password-reset/confirm', reset))).toBe(200);
    const pair = Buffer.from(`${key.client_id}:${key.client_secret}`).toString('base64');
    const headers = { authorization: `Basic ${pair}` };
    expect((await server.call('GET', '/v1/membership/me', { headers })).status).toBe(401);
    const agreed = { agree_terms: true, agree_privacy: true };
    const accept = { token: invitation, name: 'f', password: 'a fresh passphrase 6', ...agreed };
    expect(await told(post('/v1/auth/invitations/accept', accept))).toBe('400 LINK_INVALID');
    expect(await openOf(planted, reset.new_password)).toEqual({
      keys: ['REVOKED'],
      grants: ['REVOKED'],
      webhooks: ['DISABLED'],
      invitations: 0,
    });
  });

  it('says in the letter what will end, as long as the address is not proven (D168)', async () => {
    const [unproven, proven] = [await newPerson(server), await newPerson(server)];
    await proveAddress(server, proven.email);
    const endsKeys = async (person: Person) => {
      const { text } = await resetLetter(person);
      return ['키가 폐기되고', '교체한', 'integrator keys are revoked', 'rotated', 'changed'].map(
        (part) => text.includes(part),
      );
    };
    expect(new Set(await endsKeys(unproven))).toEqual(new Set([true]));
    expect(new Set(await endsKeys(proven))).toEqual(new Set([false]));
  });

  it('leaves the ways in that were opened for an address proven before (D168)', async () => {
    const person = await newPerson(server);
    const proof = tokenOf(await mailbox.letterTo(person.email, '/console/verify-email'));
    await post('/v1/auth/verify-email', { token: proof });
    await openDoors(person);
    const token = tokenOf(await resetLetter(person));
    const reset = { token, new_password: 'a renewed passphrase' };
    expect(await told(post('/v1/auth/password-reset/confirm', reset))).toBe(200);
    expect(await openOf(person, reset.new_password)).toEqual({
      keys: ['ACTIVE'],
      grants: ['ACTIVE'],
      webhooks: ['ENABLED'],
      invitations: 1,
    });
  });

  it('leaves the second factor of an address that was proven before (D168)', async () => {
    const person = await newPerson(server);
    const proof = tokenOf(await mailbox.letterTo(person.email, '/console/verify-email'));
    await post('/v1/auth/verify-email', { token: proof });
    await addApp(person);
    const token = tokenOf(await resetLetter(person));
    const reset = { token, new_password: 'a renewed passphrase' };
    expect(await told(post('/v1/auth/password-reset/confirm', reset))).toBe(200);
    const login = { email: person.email, password: reset.new_password };
    expect(await told(post('/v1/auth/login', login))).toBe('401 AUTH_FACTOR_REQUIRED');
  });

  it('a link is void once the password has changed otherwise', async () => {
    const person = await newPerson(server);
    const token = tokenOf(await resetLetter(person));
    const change = { current_password: person.password, new_password: 'changed in between' };
    expect(await told(person.call('POST', '/v1/me/password', change))).toBe(200);
    const confirm = post('/v1/auth/password-reset/confirm', {
      token,
      new_password: 'too late now',
    });
    expect(await told(confirm)).toBe('400 LINK_INVALID');
  });

  it('a link of one kind opens nothing of another', async () => {
    const person = await newPerson(server);
    const token = tokenOf(await mailbox.letterTo(person.email, '/console/verify-email'));
    const confirm = post('/v1/auth/password-reset/confirm', {
      token,
      new_password: 'not this way',
    });
    expect(await told(confirm)).toBe('400 LINK_INVALID');
  });

  it('answers known and unknown addresses alike, does the same, and sends only the one', async () => {
    const person = await newPerson(server);
    const unknown = 'unknown@example.com';
    const [one, other] = [
      await post('/v1/auth/password-reset', { email: person.email }),
      await post('/v1/auth/password-reset', { email: unknown }),
    ];
    expect([other.status, other.body]).toEqual([one.status, one.body]);
    await resetLetter(person);
    expect(mailbox.received.some(({ to }) => to === unknown)).toBe(false);
  });

  it('sends no more than three links an hour to one address', async () => {
    const person = await newPerson(server);
    for (let n = 0; n < 5; n += 1) await resetLetter(person);
    const links = mailbox.received.filter(
      ({ to, text }) => to === person.email && text.includes('reset-password'),
    );
    expect(links.length).toBeLessThanOrEqual(3);
  });
});

describe('the outbox', () => {
  it('tries again what was not taken, and gives up what is refused permanently', async () => {
    const owner = await newPerson(server);
    await mailbox.letterTo(owner.email, '/console/verify-email');
    const invite = (email: string) =>
      owner.call('POST', '/v1/members/invitations', { email, role: 'MEMBER' });
    const { mailOutbox } = server.core.store;
    mailbox.refuseWith(550);
    await invite('gone@example.com');
    await expect
      .poll(() => log.some((line) => line.includes('refused permanently')), { timeout: 20_000 })
      .toBe(true);
    mailbox.refuseWith(450);
    await invite('later@example.com');
    await expect
      .poll(() => log.some((line) => line.includes('tried again')), { timeout: 20_000 })
      .toBe(true);
    mailbox.refuseWith(null);
    // As if its time had come.
    await expect.poll(async () => (await mailOutbox.waiting()).length, { timeout: 20_000 }).toBe(1);
    const [due] = await mailOutbox.waiting();
    await mailOutbox.retryIn({ id: due?.id ?? '', delayMs: 0 });
    await invite('next@example.com');
    const late = await mailbox.letterTo('later@example.com', '/console/accept-invitation');
    expect(late.messageId).toContain(due?.id ?? 'none');
    expect(mailbox.received.some(({ to }) => to === 'gone@example.com')).toBe(false);
  });

  it('keeps letters sealed, and neither links nor addresses nor the password in the log', async () => {
    const person = await newPerson(server);
    const token = tokenOf(await resetLetter(person));
    const text = log.join('\n');
    expect(text).not.toContain(token);
    expect(text).not.toContain(person.email);
    expect(text).not.toContain('p%40ss');
    const hash = createHash('sha256').update(token).digest('hex');
    expect(text).not.toContain(hash);
  });
});

describe('without SMTP', () => {
  it('dev shows the link in its log', async () => {
    const lines: string[] = [];
    await using dev = await startTestServer({ log: lines });
    const person = await newPerson(dev);
    expect((await post('/v1/auth/password-reset', { email: person.email }, dev)).status).toBe(202);
    const shown = lines.find((line) => line.includes('/console/reset-password#token='));
    const token = tokenIn(JSON.parse(shown ?? '{}').link);
    const confirm = { token, new_password: 'from the log of dev' };
    expect(await told(post('/v1/auth/password-reset/confirm', confirm, dev))).toBe(200);
  });
});
