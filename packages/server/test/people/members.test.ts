import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, logIn, newMember, newPerson, type Person, tokenIn } from '../support/people.ts';
import { type Answer, startTestServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
/** A second process on the same database. */
let second: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  second = await startTestServer({ dataDir: server.dataDir });
});
afterAll(async () => {
  await second.close();
  await server[Symbol.asyncDispose]();
});

const told = async (answer: Promise<Answer>) => {
  const { status, body } = await answer;
  return body.error ? `${status} ${body.error.code}` : status;
};
const invite = (by: Person, email: string, role = 'MEMBER') =>
  by.call('POST', '/v1/members/invitations', { email, role });
const accept = (token: string, body: object) =>
  server.call('POST', '/v1/auth/invitations/accept', { body: { token, ...body } });
const NEWCOMER = {
  name: '새 사람',
  password: 'a fresh passphrase 7',
  agree_terms: true,
  agree_privacy: true,
};
const statusOf = async (token: string, at: TestServer) =>
  (await at.call('GET', '/v1/membership/me', { headers: bearer(token) })).status;

describe('invitations (D168)', () => {
  it('a new person joins with the role of the invitation, and logs in', async () => {
    const owner = await newPerson(server);
    const invited = await invite(owner, 'New.Person@example.com', 'ADMIN');
    expect(invited.body).toMatchObject({ email: 'new.person@example.com', role: 'ADMIN' });
    const joined = await accept(tokenIn(invited.body.link), NEWCOMER);
    expect(joined.body).toMatchObject({
      email: 'new.person@example.com',
      role: 'ADMIN',
      organization: { organization_id: owner.organizationId },
    });
    const token = await logIn(server, 'new.person@example.com', NEWCOMER.password);
    const session = await server.call('GET', '/v1/auth/session', { headers: bearer(token) });
    // The inviter was told the link, so nothing has proved the address.
    expect(session.body).toMatchObject({ role: 'ADMIN', email_verified: false });
  });

  it('a link works once, and not when it is revoked, replaced or too old', async () => {
    const owner = await newPerson(server);
    const linkFor = async (email: string) => tokenIn((await invite(owner, email)).body.link);
    const used = await linkFor('used@example.com');
    expect(await told(accept(used, NEWCOMER))).toBe(200);
    expect(await told(accept(used, NEWCOMER))).toBe('400 LINK_INVALID');

    const { body } = await invite(owner, 'revoked@example.com');
    const path = `/v1/members/invitations/${body.invitation_id}`;
    expect(await told(owner.call('DELETE', path))).toBe(200);
    expect(await told(owner.call('DELETE', path))).toBe('404 RESOURCE_NOT_FOUND');
    expect(await told(accept(tokenIn(body.link), NEWCOMER))).toBe('400 LINK_INVALID');

    const replaced = await linkFor('again@example.com');
    const current = await linkFor('again@example.com');
    expect(await told(accept(replaced, NEWCOMER))).toBe('400 LINK_INVALID');
    expect((await owner.call('GET', '/v1/members/invitations')).body.items).toHaveLength(1);
    expect(await told(accept(current, NEWCOMER))).toBe(200);
    expect(await told(accept('A'.repeat(43), NEWCOMER))).toBe('400 LINK_INVALID');
  });

  it('two who use one link at the same time make one member', async () => {
    const owner = await newPerson(server);
    const token = tokenIn((await invite(owner, 'race@example.com')).body.link);
    const both = await Promise.all([accept(token, NEWCOMER), accept(token, NEWCOMER)]);
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400]);
    expect((await owner.call('GET', '/v1/members')).body.items).toHaveLength(2);
  });

  it('demands name, agreement and a good password of a new person', async () => {
    const owner = await newPerson(server);
    const token = tokenIn((await invite(owner, 'picky@example.com')).body.link);
    const without = (change: object) => told(accept(token, { ...NEWCOMER, ...change }));
    expect(await without({ name: undefined })).toBe('422 VALIDATION_INVALID_FIELD');
    expect(await without({ name: 'a\u0000b' })).toBe('422 VALIDATION_INVALID_FIELD');
    expect(await without({ agree_terms: false })).toBe('400 CONSENT_REQUIRED');
    expect(await without({ password: 'short' })).toBe('400 PASSWORD_POLICY');
    expect(await without({})).toBe(200);
  });

  it('an address that another person has registered gets nothing without its password', async () => {
    const owner = await newPerson(server);
    const planted = await newPerson(server);
    const invited = await invite(owner, planted.email, 'ADMIN');
    const token = tokenIn(invited.body.link);
    // Whoever has the link has no password, and whoever has the password has no link.
    expect(await told(accept(token, NEWCOMER))).toBe('401 AUTH_INVALID_CREDENTIALS');
    expect((await planted.call('GET', '/v1/auth/session')).body.organization.organization_id).toBe(
      planted.organizationId,
    );
    const joined = await accept(token, { password: planted.password });
    expect(joined.body).toMatchObject({ user_id: planted.userId, role: 'ADMIN' });
    expect(await statusOf(planted.token, second)).toBe(401);
  });

  it('an account that would leave keys behind stays where it is', async () => {
    const owner = await newPerson(server);
    const busy = await newPerson(server);
    await busy.call('POST', '/v1/app-credentials', { label: 'in use' });
    const token = tokenIn((await invite(owner, busy.email)).body.link);
    expect(await told(accept(token, { password: busy.password }))).toBe('409 CONFLICT_STATE');
    expect(await statusOf(busy.token, server)).toBe(200);
  });

  it('inviting tells nothing about an address, except of one’s own members', async () => {
    const owner = await newPerson(server);
    const stranger = await newPerson(server);
    const known = await invite(owner, stranger.email);
    const unknown = await invite(owner, 'unknown@example.com');
    expect(Object.keys(known.body)).toEqual(Object.keys(unknown.body));
    expect(known.status).toBe(unknown.status);
    expect(await told(invite(owner, owner.email))).toBe('409 CONFLICT_DUPLICATE');
  });

  it('an ADMIN invites and un-invites MEMBERs only', async () => {
    const owner = await newPerson(server);
    const admin = await newMember(server, owner, 'ADMIN');
    for (const role of ['ADMIN', 'OWNER']) {
      expect(await told(invite(admin, 'x@example.com', role))).toBe('403 AUTH_FORBIDDEN_PRINCIPAL');
    }
    const { body } = await invite(owner, 'y@example.com', 'ADMIN');
    const path = `/v1/members/invitations/${body.invitation_id}`;
    expect(await told(admin.call('DELETE', path))).toBe('403 AUTH_FORBIDDEN_PRINCIPAL');
    expect(await told(invite(admin, 'z@example.com'))).toBe(201);
    const stranger = await newPerson(server);
    expect(await told(stranger.call('DELETE', path))).toBe('404 RESOURCE_NOT_FOUND');
  });

  it('one organization sends no more than a hundred a day', async () => {
    const owner = await newPerson(server);
    const all = await Promise.all(
      Array.from({ length: 101 }, (_, n) => invite(owner, `spam${n}@example.com`)),
    );
    const codes = all.map(({ status, body }) => body.error?.code ?? status);
    expect(codes.filter((code) => code === 201)).toHaveLength(100);
    expect(codes).toContain('POLICY_LIMIT_REACHED');
  });
});

describe('members (D158)', () => {
  const pathOf = ({ userId }: Person) => `/v1/members/${userId}`;

  it('a removed member is out at once on every process, and the address is free', async () => {
    const owner = await newPerson(server);
    const member = await newMember(server, owner, 'MEMBER');
    const second_login = await logIn(server, member.email, member.password);
    expect(await statusOf(member.token, second)).toBe(200);
    expect(await told(owner.call('DELETE', pathOf(member)))).toBe(200);
    for (const token of [member.token, second_login]) {
      expect([await statusOf(token, server), await statusOf(token, second)]).toEqual([401, 401]);
    }
    const login = { email: member.email, password: member.password };
    expect(await told(server.call('POST', '/v1/auth/login', { body: login }))).toBe(
      '401 AUTH_INVALID_CREDENTIALS',
    );
    expect(await told(owner.call('DELETE', pathOf(member)))).toBe('404 RESOURCE_NOT_FOUND');
    expect(await told(invite(owner, member.email))).toBe(201);
  });

  it('only an OWNER changes or removes an OWNER or ADMIN', async () => {
    const owner = await newPerson(server);
    const [admin, other, member] = [
      await newMember(server, owner, 'ADMIN'),
      await newMember(server, owner, 'ADMIN'),
      await newMember(server, owner, 'MEMBER'),
    ];
    const forbidden = '403 AUTH_FORBIDDEN_PRINCIPAL';
    expect(await told(admin.call('DELETE', pathOf(owner)))).toBe(forbidden);
    expect(await told(admin.call('DELETE', pathOf(other)))).toBe(forbidden);
    expect(await told(member.call('DELETE', pathOf(admin)))).toBe(forbidden);
    expect(await told(admin.call('PATCH', pathOf(member), { role: 'ADMIN' }))).toBe(forbidden);
    expect(await told(admin.call('PATCH', pathOf(admin), { role: 'OWNER' }))).toBe(forbidden);
    const hand = { user_id: admin.userId };
    expect(await told(admin.call('POST', '/v1/organization/ownership', hand))).toBe(forbidden);
    expect(await told(admin.call('DELETE', pathOf(member)))).toBe(200);
    expect((await owner.call('PATCH', pathOf(admin), { role: 'MEMBER' })).body.role).toBe('MEMBER');
    expect(await told(admin.call('GET', '/v1/members'))).toBe(forbidden);
    expect(await told(owner.call('DELETE', pathOf(other)))).toBe(200);
  });

  it('no one reaches the members of another organization', async () => {
    const [owner, stranger] = [await newPerson(server), await newPerson(server)];
    const member = await newMember(server, owner, 'MEMBER');
    const missing = '404 RESOURCE_NOT_FOUND';
    expect(await told(stranger.call('DELETE', pathOf(member)))).toBe(missing);
    expect(await told(stranger.call('PATCH', pathOf(member), { role: 'ADMIN' }))).toBe(missing);
    const hand = { user_id: member.userId };
    expect(await told(stranger.call('POST', '/v1/organization/ownership', hand))).toBe(missing);
    expect((await stranger.call('GET', '/v1/members')).body.items).toHaveLength(1);
  });

  it('a member leaves; the last owner cannot, nor give up the role', async () => {
    const owner = await newPerson(server);
    const member = await newMember(server, owner, 'MEMBER');
    expect(await told(owner.call('DELETE', pathOf(owner)))).toBe('409 CONFLICT_STATE');
    expect(await told(owner.call('PATCH', pathOf(owner), { role: 'ADMIN' }))).toBe(
      '409 CONFLICT_STATE',
    );
    expect(await told(member.call('DELETE', pathOf(member)))).toBe(200);
    expect(await statusOf(member.token, second)).toBe(401);
    expect(await statusOf(owner.token, second)).toBe(200);
  });

  it('ownership goes to another member, and the former owner may then leave', async () => {
    const owner = await newPerson(server);
    const heir = await newMember(server, owner, 'MEMBER');
    const hand = (userId: number) =>
      owner.call('POST', '/v1/organization/ownership', { user_id: userId });
    expect(await told(hand(owner.userId))).toBe('409 CONFLICT_STATE');
    expect((await hand(heir.userId)).body).toMatchObject({ user_id: heir.userId, role: 'OWNER' });
    expect(await told(hand(heir.userId))).toBe('403 AUTH_FORBIDDEN_PRINCIPAL');
    const { items } = (await heir.call('GET', '/v1/members')).body;
    expect(items.map((each: { role: string }) => each.role).sort()).toEqual(['ADMIN', 'OWNER']);
    expect(await told(owner.call('DELETE', pathOf(owner)))).toBe(200);
  });

  it('writes every act down, without addresses', async () => {
    const owner = await newPerson(server);
    const member = await newMember(server, owner, 'MEMBER');
    await owner.call('DELETE', pathOf(member));
    const { body } = await server.call(
      'GET',
      `/v1/admin/audit?organization_id=${owner.organizationId}`,
      { headers: bearer(server.adminToken) },
    );
    const acts = body.items.map((each: { act: string }) => each.act);
    expect(acts).toEqual(
      expect.arrayContaining(['invitation.create', 'member.join', 'member.remove']),
    );
    expect(JSON.stringify(body)).not.toContain(member.email);
  });
});
