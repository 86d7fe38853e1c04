import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Authenticator, type Deviation, newAuthenticator } from '../support/authenticator.ts';
import {
  callerWith,
  logIn,
  newMember,
  newPerson,
  type Person,
  tokenIn,
} from '../support/people.ts';
import { type Answer, startTestServer, type TestServer } from '../support/start-server.ts';

const ORIGIN = 'https://changgu.example';
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { PUBLIC_BASE_URL: ORIGIN } });
});
afterAll(() => server[Symbol.asyncDispose]());

const told = async (answer: Promise<Answer>) => {
  const { status, body } = await answer;
  return body.error ? `${status} ${body.error.code}` : status;
};
const begin = async () => (await server.call('POST', '/v1/auth/passkey/options')).body;

async function proofOf(authenticator: Authenticator, deviation?: Deviation) {
  const { attempt, public_key } = await begin();
  return { attempt, credential: authenticator.get(public_key, deviation) };
}
const login = (body: unknown) => server.call('POST', '/v1/auth/passkey', { body });

async function add(person: Person, proof: object = {}, deviation?: Deviation) {
  const authenticator = newAuthenticator(ORIGIN);
  const { status, body } = await person.call('POST', '/v1/me/factors/passkeys/options', {
    password: person.password,
    ...proof,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  const { attempt, public_key } = body;
  const credential = authenticator.create(public_key, deviation);
  const request = { attempt, credential, label: '업무용 노트북' };
  const answer = await person.call('POST', '/v1/me/factors/passkeys', request);
  return { authenticator, answer, request, options: public_key };
}

describe('a passkey', () => {
  it('is added, listed, renamed, and signs in by itself', async () => {
    const person = await newPerson(server);
    const { authenticator, answer, options } = await add(person);
    expect(answer.status).toBe(201);
    expect(answer.body.recovery_codes).toHaveLength(10);
    expect(options).toMatchObject({
      rp: { id: 'changgu.example' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    // It says nothing about the person.
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(32);
    const { factor_id } = answer.body.factor;
    const renamed = person.call('PATCH', `/v1/me/factors/${factor_id}`, { label: '집' });
    expect((await renamed).body).toMatchObject({ kind: 'passkey', label: '집' });

    const { status, body } = await login(await proofOf(authenticator));
    expect([status, body.user.email]).toEqual([200, person.email]);
    const { items } = (await callerWith(server, body.access_token)('GET', '/v1/me/factors')).body;
    expect(items).toMatchObject([{ factor_id, kind: 'passkey', label: '집' }]);
    expect(items[0].last_used_on).not.toBeNull();
  });

  it('proves the second factor beside a password, which alone does not let in any more', async () => {
    const person = await newPerson(server);
    const { authenticator, answer } = await add(person);
    const { email, password } = person;
    const passwordLogin = (more: object) =>
      server.call('POST', '/v1/auth/login', { body: { email, password, ...more } });
    expect(await told(passwordLogin({}))).toBe('401 AUTH_FACTOR_REQUIRED');
    expect(await told(passwordLogin({ passkey: await proofOf(authenticator) }))).toBe(200);
    const [factor_code] = answer.body.recovery_codes;
    expect(await told(passwordLogin({ factor_code }))).toBe(200);
    const stranger = await newPerson(server);
    const foreign = await proofOf((await add(stranger)).authenticator);
    expect(await told(passwordLogin({ passkey: foreign }))).toBe('400 PASSKEY_INVALID');
  });

  it('proves the second factor of who accepts an invitation with an account (D168)', async () => {
    const owner = await newPerson(server);
    const person = await newPerson(server);
    const { email, password, userId } = person;
    const { authenticator } = await add(person);
    const invited = await owner.call('POST', '/v1/members/invitations', { email, role: 'MEMBER' });
    const accept = (more: object) =>
      server.call('POST', '/v1/auth/invitations/accept', {
        body: { token: tokenIn(invited.body.link), password, ...more },
      });
    expect(await told(accept({}))).toBe('401 AUTH_FACTOR_REQUIRED');
    const foreign = await proofOf((await add(owner)).authenticator);
    expect(await told(accept({ passkey: foreign }))).toBe('400 PASSKEY_INVALID');
    const { status, body } = await accept({ passkey: await proofOf(authenticator) });
    expect([status, body]).toMatchObject([200, { user_id: userId, role: 'MEMBER' }]);
  });

  it('signs in a browser by a cookie, for a page of ours only', async () => {
    const person = await newPerson(server);
    const { authenticator } = await add(person);
    const from = async (origin: string) =>
      server.call('POST', '/v1/auth/passkey', {
        body: { ...(await proofOf(authenticator)), cookie: true },
        headers: { origin },
      });
    expect(await told(from('https://evil.example'))).toBe('403 AUTH_CSRF_REFUSED');
    const { headers, body } = await from(ORIGIN);
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-changgu_session=.*HttpOnly; SameSite=Strict/,
    );
    expect(body.access_token).toBeUndefined();
  });

  it('is nowhere in the database as it is, so that none can be planted', async () => {
    const person = await newPerson(server);
    const { authenticator } = await add(person);
    const kept = await server.core.store.passkeys.find(authenticator.id);
    expect(Buffer.from(kept?.publicKey ?? []).includes(Buffer.from([0xa5, 1, 2, 3, 0x26]))).toBe(
      false,
    );
  });
});

describe('what does not sign in', () => {
  it.each<[string, Deviation]>([
    ['the page of another site', { origin: 'https://changgu.example.evil.example' }],
    ['another domain', { rpId: 'example' }],
    ['another challenge', { challenge: Buffer.from('guess').toString('base64url') }],
    ['an authenticator that has not verified its user', { isVerified: false }],
    ['the handle of another user', { userHandle: 'b3RoZXI' }],
  ])('%s', async (_, deviation) => {
    const { authenticator } = await add(await newPerson(server));
    const refused = login(await proofOf(authenticator, deviation));
    expect(await told(refused)).toBe('401 AUTH_INVALID_CREDENTIALS');
    expect(await told(login(await proofOf(authenticator)))).toBe(200);
  });

  it('the same signature twice, not even at the same time, nor after it failed', async () => {
    const { authenticator } = await add(await newPerson(server));
    const proof = await proofOf(authenticator);
    const both = await Promise.all([login(proof), login(proof)]);
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 401]);
    const { attempt, public_key } = await begin();
    const bad = authenticator.get(public_key, { isVerified: false });
    expect((await login({ attempt, credential: bad })).status).toBe(401);
    const good = authenticator.get(public_key);
    expect((await login({ attempt, credential: good })).status).toBe(401);
  });

  it('a copy of the authenticator, which counts behind the other, and it is on record', async () => {
    const person = await newPerson(server);
    const { authenticator } = await add(person);
    expect(await told(login(await proofOf(authenticator, { counter: 40 })))).toBe(200);
    for (const counter of [40, 7, 0]) {
      const copy = login(await proofOf(authenticator, { counter }));
      expect(await told(copy)).toBe('401 AUTH_INVALID_CREDENTIALS');
    }
    const { items } = (await person.call('GET', '/v1/audit')).body;
    const refusals = items.filter(({ act }: { act: string }) => act === 'factor.refuse');
    expect(refusals).toHaveLength(3);
    expect(refusals[0].details).toMatchObject({ reason: 'counter' });
  });

  it('works with authenticators that do not count', async () => {
    const { authenticator } = await add(await newPerson(server), {}, { counter: 0 });
    for (let n = 0; n < 2; n += 1) {
      expect(await told(login(await proofOf(authenticator, { counter: 0 })))).toBe(200);
    }
  });

  it('an attempt that is changed, made up, or meant for adding', async () => {
    const person = await newPerson(server);
    const { authenticator, request } = await add(person);
    const { attempt, public_key } = await begin();
    const credential = authenticator.get(public_key);
    for (const each of ['', '.', 'a.b', `${attempt}x`, `x${attempt}`, request.attempt]) {
      const refused = await login({ attempt: each, credential });
      expect([401, 422], each).toContain(refused.status);
    }
    expect(await told(login({ attempt, credential }))).toBe(200);
  });

  it('a passkey of a removed or disabled user', async () => {
    const owner = await newPerson(server);
    const member = await newMember(server, owner, 'MEMBER');
    const { authenticator } = await add(member);
    const actor = { kind: 'system', id: 'test', traceId: null } as const;
    const user = { kind: 'user', id: member.email, actor } as const;
    await server.core.store.switches.set({ ...user, disabled: true });
    expect((await login(await proofOf(authenticator))).status).toBe(401);
    await server.core.store.switches.set({ ...user, disabled: false });
    expect((await login(await proofOf(authenticator))).status).toBe(200);
    await owner.call('DELETE', `/v1/members/${member.userId}`);
    expect((await login(await proofOf(authenticator))).status).toBe(401);
  });
});

describe('adding a passkey', () => {
  it('needs the password, and of who has a factor that one too', async () => {
    const person = await newPerson(server);
    const options = (body: object) => person.call('POST', '/v1/me/factors/passkeys/options', body);
    expect(await told(options({ password: 'wrong' }))).toBe('400 PASSWORD_MISMATCH');
    const { authenticator } = await add(person);
    const { password } = person;
    expect(await told(options({ password }))).toBe('400 FACTOR_CODE_INVALID');
    const totp = { kind: 'totp', password };
    expect(await told(person.call('POST', '/v1/me/factors', totp))).toBe('400 FACTOR_CODE_INVALID');
    const second = await add(person, { passkey: await proofOf(authenticator) });
    expect(second.answer.status).toBe(201);
    // The codes of the first factor stay good.
    expect(second.answer.body.recovery_codes).toBeNull();
    expect(second.options.excludeCredentials).toMatchObject([{ id: authenticator.id }]);
  });

  it('is finished once, by the session that began', async () => {
    const person = await newPerson(server);
    const { request } = await add(person);
    const again = (as: Person['call']) => as('POST', '/v1/me/factors/passkeys', request);
    expect(await told(again(person.call))).toBe('400 PASSKEY_INVALID');
    const stranger = await newPerson(server);
    const begun = await stranger.call('POST', '/v1/me/factors/passkeys/options', {
      password: stranger.password,
    });
    const { attempt, public_key } = begun.body;
    const credential = newAuthenticator(ORIGIN).create(public_key);
    const other = callerWith(server, await logIn(server, stranger.email, stranger.password));
    for (const as of [other, person.call]) {
      const stolen = as('POST', '/v1/me/factors/passkeys', { attempt, credential });
      expect(await told(stolen)).toBe('400 PASSKEY_INVALID');
    }
    const own = stranger.call('POST', '/v1/me/factors/passkeys', { attempt, credential });
    expect(await told(own)).toBe(201);
    // It was opened without the passkey.
    expect((await other('GET', '/v1/auth/session')).status).toBe(401);
  });

  it.each<[string, Deviation]>([
    ['the page of another site', { origin: 'https://evil.example' }],
    ['an authenticator that has not verified its user', { isVerified: false }],
    ['another challenge', { challenge: 'Z3Vlc3M' }],
  ])('refuses %s', async (_, deviation) => {
    const { answer } = await add(await newPerson(server), {}, deviation);
    expect(answer.body.error.code).toBe('PASSKEY_INVALID');
  });
});

describe('removing', () => {
  it('needs both proofs, ends every session, and the codes go with the last factor', async () => {
    const person = await newPerson(server);
    const { authenticator, answer } = await add(person);
    const { password } = person;
    const path = `/v1/me/factors/${answer.body.factor.factor_id}`;
    expect(await told(person.call('DELETE', path, { password }))).toBe('400 FACTOR_CODE_INVALID');
    const passkey = await proofOf(authenticator);
    const stranger = await newPerson(server);
    expect(await told(stranger.call('DELETE', path, { password: stranger.password }))).toBe(
      '404 RESOURCE_NOT_FOUND',
    );
    expect(await told(person.call('DELETE', path, { password, passkey }))).toBe(200);
    expect((await person.call('GET', '/v1/auth/session')).status).toBe(401);
    expect((await login(await proofOf(authenticator))).status).toBe(401);
    const token = await logIn(server, person.email, password);
    const left = await callerWith(server, token)('GET', '/v1/me/factors');
    expect(left.body).toMatchObject({ items: [], recovery_codes_left: 0 });
  });

  it('an owner resets the factors of a member who has lost them', async () => {
    const owner = await newPerson(server);
    const [member, administrator] = [
      await newMember(server, owner, 'MEMBER'),
      await newMember(server, owner, 'ADMIN'),
    ];
    await add(member);
    const reset = ({ call }: Person, { userId }: Person) =>
      call('DELETE', `/v1/members/${userId}/factors`);
    const stranger = await newPerson(server);
    expect(await told(reset(administrator, member))).toBe('403 AUTH_FORBIDDEN_PRINCIPAL');
    expect(await told(reset(stranger, member))).toBe('404 RESOURCE_NOT_FOUND');
    expect(await told(reset(owner, owner))).toBe('409 CONFLICT_STATE');
    expect((await reset(owner, member)).body).toEqual({ user_id: member.userId, status: 'RESET' });
    expect((await member.call('GET', '/v1/auth/session')).status).toBe(401);
    await logIn(server, member.email, member.password);
    const [act] = (await owner.call('GET', '/v1/audit')).body.items.filter(
      ({ act }: { act: string }) => act === 'factor.reset',
    );
    expect(act).toMatchObject({ actor_id: String(owner.userId), target: String(member.userId) });
  });
});

it('a server at a bare address says that passkeys do not work there', async () => {
  await using bare = await startTestServer({ env: { PUBLIC_BASE_URL: 'https://192.0.2.1' } });
  const answer = bare.call('POST', '/v1/auth/passkey/options');
  expect(await told(answer)).toBe('503 PASSKEYS_UNAVAILABLE');
});
