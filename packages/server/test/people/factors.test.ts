import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createPostgresDatabase,
  type TestDatabase,
} from '../../src/store/testing/describe-stores.ts';
import { bearer, callerWith, logIn, newMember, newPerson, type Person } from '../support/people.ts';
import { type Answer, startTestServer, type TestServer } from '../support/start-server.ts';

describe.each(['sqlite', 'postgres'])('on %s', (dialect) => {
  let server: TestServer;
  let database: TestDatabase | null;
  beforeAll(async () => {
    database = dialect === 'postgres' ? await createPostgresDatabase() : null;
    server = await startTestServer({ env: database ? { DATABASE_URL: database.url } : {} });
  }, 60_000);
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await database?.remove();
  });

  const told = async (answer: Promise<Answer>) => {
    const { status, body } = await answer;
    return body.error ? `${status} ${body.error.code}` : status;
  };
  const login = ({ email, password }: Person, factor_code?: string) =>
    server.call('POST', '/v1/auth/login', {
      body: { email, password, ...(factor_code === undefined ? {} : { factor_code }) },
    });
  /** `ahead`: codes of neighboring steps are taken too, so that a test need not wait for the next. */
  const codeOf = (secret: string, ahead = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: Date.now() + ahead * 30_000,
    });

  interface Enrolled {
    readonly id: string;
    readonly secret: string;
    readonly recovery: readonly string[];
  }

  /** Confirms with the code of the step before, so that the current one is still unused. */
  async function enroll(person: Person): Promise<Enrolled> {
    const { body } = await person.call('POST', '/v1/me/factors', {
      kind: 'totp',
      password: person.password,
    });
    const confirmed = await person.call('POST', `/v1/me/factors/${body.factor_id}/confirm`, {
      code: codeOf(body.secret, -1),
    });
    expect(confirmed.status).toBe(200);
    return { id: body.factor_id, secret: body.secret, recovery: confirmed.body.recovery_codes };
  }

  describe('login with a second factor', () => {
    it('says that a code is needed only to who knows the password', async () => {
      const person = await newPerson(server);
      const { secret } = await enroll(person);
      expect(await told(login(person))).toBe('401 AUTH_FACTOR_REQUIRED');
      expect(await told(login({ ...person, password: 'wrong' }))).toBe(
        '401 AUTH_INVALID_CREDENTIALS',
      );
      expect(await told(login(person, codeOf(secret)))).toBe(200);
    });

    it('changes nothing for a user without one, whatever code is sent', async () => {
      const person = await newPerson(server);
      expect(await told(login(person, '123456'))).toBe(200);
    });

    it('takes no code twice, not even at the same time', async () => {
      const person = await newPerson(server);
      const { secret } = await enroll(person);
      const code = codeOf(secret);
      const both = await Promise.all([login(person, code), login(person, code)]);
      expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400]);
      expect(await told(login(person, code))).toBe('400 FACTOR_CODE_INVALID');
      // Nor one of an earlier step.
      expect(await told(login(person, codeOf(secret, -1)))).toBe('400 FACTOR_CODE_INVALID');
    });

    it('a recovery code works once, however it is typed', async () => {
      const person = await newPerson(server);
      const { recovery } = await enroll(person);
      expect(new Set(recovery).size).toBe(10);
      const [first = '', second = ''] = recovery;
      expect(await told(login(person, first.toUpperCase().replaceAll('-', ' ')))).toBe(200);
      expect(await told(login(person, first))).toBe('400 FACTOR_CODE_INVALID');
      expect(await told(login(person, second))).toBe(200);
      const token = (await login(person, recovery[2])).body.access_token;
      const list = await callerWith(server, token)('GET', '/v1/me/factors');
      expect(list.body).toMatchObject({ recovery_codes_left: 7, required: false });
    });

    it('wrong codes are limited like wrong passwords, and asking for the code costs nothing', async () => {
      const person = await newPerson(server);
      const { secret } = await enroll(person);
      for (let n = 0; n < 8; n += 1) {
        expect(await told(login(person))).toBe('401 AUTH_FACTOR_REQUIRED');
      }
      const wrong = await Promise.all(Array.from({ length: 8 }, () => login(person, '000000')));
      const statuses = wrong.map(({ status }) => status);
      expect(statuses.filter((status) => status === 400)).toHaveLength(5);
      expect(statuses.filter((status) => status === 429)).toHaveLength(3);
      expect(await told(login(person, codeOf(secret)))).toBe('429 RATE_LIMITED');
    });

    it('a reset password does not get around it', async () => {
      const person = await newPerson(server);
      await enroll(person);
      const { store } = server.core;
      const link = {
        kind: 'password_reset' as const,
        tokenHash: `reset of ${person.email}`,
        email: person.email,
        emailHash: `hash of ${person.email}`,
        letter: null,
      };
      await store.oneTimeLinks.request(link);
      const { hashPassword } = await import('../../src/crypto/password.ts');
      const passwordHash = await hashPassword('entirely new words');
      const origin = { traceId: 'test' };
      await store.oneTimeLinks.resetPassword({ tokenHash: link.tokenHash, passwordHash, origin });
      expect(await told(login({ ...person, password: 'entirely new words' }))).toBe(
        '401 AUTH_FACTOR_REQUIRED',
      );
    });
  });

  describe('factors', () => {
    it('adding one needs the password and a first code, and ends the other sessions', async () => {
      const person = await newPerson(server);
      const other = await logIn(server, person.email, person.password);
      const add = (password: string) =>
        person.call('POST', '/v1/me/factors', { kind: 'totp', password });
      expect(await told(add('wrong'))).toBe('400 PASSWORD_MISMATCH');
      const { body } = await add(person.password);
      expect(body.otpauth_url).toContain('issuer=Changgu');
      const path = `/v1/me/factors/${body.factor_id}/confirm`;
      expect(await told(person.call('POST', path, { code: '12' }))).toBe('400 FACTOR_CODE_INVALID');
      // Until then it counts for nothing.
      expect(await told(login(person))).toBe(200);
      const stranger = await newPerson(server);
      const code = codeOf(body.secret);
      expect(await told(stranger.call('POST', path, { code }))).toBe('404 RESOURCE_NOT_FOUND');
      expect(await told(person.call('POST', path, { code }))).toBe(200);
      expect(await told(person.call('GET', '/v1/auth/session'))).toBe(200);
      expect(await told(callerWith(server, other)('GET', '/v1/auth/session'))).toBe(
        '401 AUTH_INVALID_CREDENTIALS',
      );
      expect(await told(add(person.password))).toBe('409 CONFLICT_DUPLICATE');
    });

    it('removing one needs both proofs and ends every session', async () => {
      const person = await newPerson(server);
      const { id, secret, recovery } = await enroll(person);
      const remove = (password: string, factor_code: string) =>
        person.call('DELETE', `/v1/me/factors/${id}`, { password, factor_code });
      expect(await told(remove('wrong', codeOf(secret)))).toBe('400 PASSWORD_MISMATCH');
      expect(await told(remove(person.password, '000000'))).toBe('400 FACTOR_CODE_INVALID');
      expect(await told(remove(person.password, codeOf(secret)))).toBe(200);
      expect(await told(person.call('GET', '/v1/auth/session'))).toBe(
        '401 AUTH_INVALID_CREDENTIALS',
      );
      expect(await told(login(person, recovery[0]))).toBe(200);
      expect(await told(login(person))).toBe(200);
    });

    it('new recovery codes void the old ones', async () => {
      const person = await newPerson(server);
      const { secret, recovery } = await enroll(person);
      const proof = { password: person.password, factor_code: codeOf(secret) };
      const { body } = await person.call('POST', '/v1/me/factors/recovery-codes', proof);
      expect(await told(login(person, recovery[0]))).toBe('400 FACTOR_CODE_INVALID');
      expect(await told(login(person, body.recovery_codes[0]))).toBe(200);
    });

    it('secrets and recovery codes are nowhere in the database as they are', async () => {
      const person = await newPerson(server);
      const { secret } = await enroll(person);
      const { totp } = await server.core.store.factors.proofs(person.userId);
      const stored = Buffer.from(totp?.secret ?? []);
      expect(stored.includes(Buffer.from(Secret.fromBase32(secret).buffer))).toBe(false);
      expect(stored.length).toBeGreaterThan(20);
    });
  });

  describe('an organization that demands one', () => {
    it('lets members without one do nothing else, in open sessions too, until they have it', async () => {
      const owner = await newPerson(server);
      const member = await newMember(server, owner, 'MEMBER');
      await enroll(owner);
      const demand = (by: Person, second_factor_required: boolean) =>
        by.call('PATCH', '/v1/organization', { second_factor_required });
      expect(await told(demand(member, true))).toBe('403 AUTH_FORBIDDEN_PRINCIPAL');
      expect((await demand(owner, true)).body).toEqual({ second_factor_required: true });
      expect(await told(member.call('GET', '/v1/membership/me'))).toBe('403 AUTH_FACTOR_MISSING');
      expect((await member.call('GET', '/v1/auth/session')).body.must_add_factor).toBe(true);
      expect(await told(owner.call('GET', '/v1/membership/me'))).toBe(200);
      await enroll(member);
      expect(await told(member.call('GET', '/v1/membership/me'))).toBe(200);
      const { items } = (await owner.call('GET', '/v1/members')).body;
      expect(items.map((each: { second_factor: boolean }) => each.second_factor)).toEqual([
        true,
        true,
      ]);
    });
  });

  describe('what an operator switches off', () => {
    const statusOf = async (headers: Record<string, string>) =>
      (await server.call('GET', '/v1/membership/me', { headers })).status;
    const actor = { kind: 'system', id: 'test', traceId: null } as const;

    it('a user, an organization and a key stop at once, and work again when switched on', async () => {
      const { switches } = server.core.store;
      const owner = await newPerson(server);
      const member = await newMember(server, owner, 'MEMBER');
      const { body } = await owner.call('POST', '/v1/app-credentials', { label: 'k' });
      const pair = Buffer.from(`${body.client_id}:${body.client_secret}`).toString('base64');
      const key = { authorization: `Basic ${pair}` };
      const all = () =>
        Promise.all([statusOf(bearer(owner.token)), statusOf(bearer(member.token)), statusOf(key)]);
      expect(await all()).toEqual([200, 200, 200]);

      await switches.set({ kind: 'key', id: body.client_id, disabled: true, actor });
      expect(await all()).toEqual([200, 200, 401]);
      await switches.set({ kind: 'key', id: body.client_id, disabled: false, actor });
      expect(await all()).toEqual([200, 200, 200]);

      const { organizationId } = owner;
      const organization = { kind: 'organization', id: String(organizationId), actor } as const;
      await switches.set({ ...organization, disabled: true });
      expect(await all()).toEqual([401, 401, 401]);
      expect(await told(login(owner))).toBe('401 AUTH_INVALID_CREDENTIALS');
      await switches.set({ ...organization, disabled: false });
      expect(await all()).toEqual([200, 200, 200]);

      const user = { kind: 'user', id: member.email, actor } as const;
      await switches.set({ ...user, disabled: true });
      expect(await all()).toEqual([200, 401, 200]);
      expect(await told(login(member))).toBe('401 AUTH_INVALID_CREDENTIALS');
      await switches.set({ ...user, disabled: false });
      // The sessions of before stay ended.
      expect(await all()).toEqual([200, 401, 200]);
      expect(await told(login(member))).toBe(200);
      await expect(
        switches.set({ kind: 'user', id: 'unknown@example.com', disabled: true, actor }),
      ).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    });
  });
});
