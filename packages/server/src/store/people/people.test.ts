import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../database.ts';
import type { PostedLetter } from '../mail/mail-outbox.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { notUnique } from '../testing/not-unique.ts';
import { registerOwner } from '../testing/seed.ts';

const HOUR = 3_600_000;

describeStores('people', (stores) => {
  let store: Store;
  /** A second process on the same database. */
  let other: Store;
  let people = 0;
  beforeAll(async () => {
    store = await stores.open();
    other = await stores.open();
  });

  interface User {
    readonly userId: number;
    readonly organizationId: number;
    readonly email: string;
  }
  const actor = { kind: 'system', id: 'test', traceId: null } as const;
  const letter = (): PostedLetter => ({ id: randomUUID(), letter: Buffer.from('sealed') });

  async function newUser(): Promise<User> {
    people += 1;
    const email = `people${people}@example.com`;
    const registered = await registerOwner(store, email);
    return { ...registered, email };
  }

  function invite(by: User, email: string, role: 'OWNER' | 'ADMIN' | 'MEMBER', mailed = false) {
    const tokenHash = randomUUID();
    return store.invitations
      .create({
        id: randomUUID(),
        organizationId: by.organizationId,
        userId: by.userId,
        email,
        role,
        tokenHash,
        letter: mailed ? letter() : null,
        actor,
      })
      .then((invitation) => ({ ...invitation, tokenHash }));
  }

  async function join(owner: User, role: 'OWNER' | 'ADMIN' | 'MEMBER'): Promise<User> {
    people += 1;
    const email = `joined${people}@example.com`;
    const { tokenHash } = await invite(owner, email, role);
    const user = { name: 'n', passwordHash: 'h' };
    const { userId } = await store.invitations.accept({
      tokenHash,
      user,
      origin: { traceId: 't' },
    });
    return { userId, organizationId: owner.organizationId, email };
  }

  const change = (by: User, of: User) => ({
    organizationId: by.organizationId,
    userId: of.userId,
    by: by.userId,
    actor,
  });

  describe('a member whose deletion was requested (D158)', () => {
    async function asked(user: User): Promise<() => Promise<unknown>> {
      const request = { ...user, id: randomUUID(), reasonText: null, actor };
      await store.deletions.request(request);
      return () => store.deletions.withdraw({ ...request, reason: null });
    }
    const refused = { code: 'CONFLICT_STATE' };

    it('becomes owner only after withdrawing, or the deletion would take the organization along', async () => {
      const owner = await newUser();
      const member = await join(owner, 'MEMBER');
      const withdraw = await asked(member);
      const ways = [
        () => store.members.handOver(change(owner, member)),
        () => store.members.setRole({ ...change(owner, member), role: 'OWNER' as const }),
        () => store.members.add({ ...member, role: 'OWNER' as const, actor }),
      ];
      for (const way of ways) await expect(way()).rejects.toMatchObject(refused);
      await store.members.setRole({ ...change(owner, member), role: 'ADMIN' });
      await withdraw();
      expect(await store.members.handOver(change(owner, member))).toMatchObject({ role: 'OWNER' });
    });

    it('joins another organization, but not as its owner', async () => {
      const owner = await newUser();
      const moving = await newUser();
      await stores.execute('update users set email_verified_at = 1 where id = ?', [moving.userId]);
      await asked(moving);
      const addition = { organizationId: owner.organizationId, email: moving.email, actor };
      await expect(store.members.add({ ...addition, role: 'OWNER' })).rejects.toMatchObject(
        refused,
      );
      const accept = async (role: 'OWNER' | 'MEMBER') => {
        const { tokenHash } = await invite(owner, moving.email, role);
        const user = { userId: moving.userId };
        return store.invitations.accept({ tokenHash, user, origin: { traceId: 't' } });
      };
      await expect(accept('OWNER')).rejects.toMatchObject(refused);
      expect(await accept('MEMBER')).toMatchObject({ role: 'MEMBER' });
    });

    it('stays owner, if it was one when asking', async () => {
      const owner = await newUser();
      await asked(owner);
      expect(await store.members.setRole({ ...change(owner, owner), role: 'OWNER' })).toMatchObject(
        { role: 'OWNER' },
      );
    });
  });

  describe('invitations (D168)', () => {
    it('one address has one open invitation of an organization, also in the database itself', async () => {
      const owner = await newUser();
      await invite(owner, 'once@example.com', 'MEMBER');
      await invite(owner, 'once@example.com', 'ADMIN');
      const open = await store.invitations.list(owner.organizationId);
      expect(open.map(({ role }) => role)).toEqual(['ADMIN']);
      await expect(
        stores.execute(
          `insert into invitations (id, organization_id, email, role, token_hash, mailed, invited_by,
             created_at, expires_at) values (?, ?, 'once@example.com', 'MEMBER', ?, 0, ?, 0, 1)`,
          [randomUUID(), owner.organizationId, randomUUID(), owner.userId],
        ),
      ).rejects.toEqual(notUnique(stores));
    });

    it('ends after 72 hours, and is deleted then', async () => {
      const owner = await newUser();
      const { tokenHash, id } = await invite(owner, 'late@example.com', 'MEMBER');
      const age = 'update invitations set expires_at = expires_at - ? where id = ?';
      await stores.execute(age, [72 * HOUR - 60_000, id]);
      expect(await store.invitations.find(tokenHash)).not.toBeNull();
      await stores.execute(age, [60_000, id]);
      expect(await store.invitations.find(tokenHash)).toBeNull();
      const user = { name: 'n', passwordHash: 'h' };
      await expect(
        store.invitations.accept({ tokenHash, user, origin: { traceId: 't' } }),
      ).rejects.toMatchObject({ code: 'LINK_INVALID' });
      // The address of someone who never came is not kept.
      const { id: open } = await invite(owner, 'open@example.com', 'MEMBER');
      while (await store.invitations.purge());
      const left = await stores.execute('select id from invitations where id in (?, ?)', [
        id,
        open,
      ]);
      expect(left).toEqual([{ id: open }]);
    });

    it('an account that appears while a link is used gets nothing by it', async () => {
      const owner = await newUser();
      const victim = await newUser();
      const { tokenHash } = await invite(owner, victim.email, 'ADMIN');
      const user = { name: 'n', passwordHash: 'h' };
      await expect(
        store.invitations.accept({ tokenHash, user, origin: { traceId: 't' } }),
      ).rejects.toMatchObject({ code: 'LINK_INVALID' });
      const wrong = { userId: owner.userId };
      await expect(
        store.invitations.accept({ tokenHash, user: wrong, origin: { traceId: 't' } }),
      ).rejects.toMatchObject({ code: 'LINK_INVALID' });
    });

    it('checks the role of the inviter as it is in the transaction, not as it was', async () => {
      const owner = await newUser();
      const admin = await join(owner, 'ADMIN');
      await store.members.setRole({ ...change(owner, admin), role: 'MEMBER' });
      await expect(invite(admin, 'x@example.com', 'MEMBER')).rejects.toMatchObject({
        code: 'AUTH_FORBIDDEN_PRINCIPAL',
      });
    });
  });

  describe('members (D158)', () => {
    it('two owners who leave at the same time leave one behind', async () => {
      const owner = await newUser();
      const second = await join(owner, 'OWNER');
      const both = await Promise.allSettled([
        store.members.remove(change(owner, owner)),
        other.members.remove(change(second, second)),
      ]);
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const left = await store.members.list(owner.organizationId);
      expect(left.map(({ role }) => role)).toEqual(['OWNER']);
    });

    it('closes the account: no login, no session, no link, and a free address', async () => {
      const owner = await newUser();
      const member = await join(owner, 'MEMBER');
      const session = {
        id: randomUUID(),
        userId: member.userId,
        secretHash: null,
        passwordEpoch: 1,
        address: 'a',
        userAgent: null,
        lifeMs: HOUR,
      };
      await store.consoleSessions.open(session);
      await store.members.remove(change(owner, member));
      expect(await other.users.find({ userId: member.userId })).toBeNull();
      expect(await other.users.find({ email: member.email })).toBeNull();
      expect(await other.consoleSessions.find({ id: session.id })).toBeNull();
      await expect(invite(owner, member.email, 'MEMBER')).resolves.toMatchObject({
        role: 'MEMBER',
      });
    });

    it('an operator adds only proven addresses, and the refusal is that of an unknown address', async () => {
      const owner = await newUser();
      const planted = await newUser();
      const add = (email: string) =>
        store.members.add({ organizationId: owner.organizationId, email, role: 'ADMIN', actor });
      const missing = { code: 'RESOURCE_NOT_FOUND' };
      await expect(add('unknown@example.com')).rejects.toMatchObject(missing);
      await expect(add(planted.email)).rejects.toMatchObject(missing);
      const tokenHash = randomUUID();
      await store.oneTimeLinks.request({
        kind: 'verify_email',
        tokenHash,
        email: planted.email,
        emailHash: tokenHash,
        letter: letter(),
      });
      await store.oneTimeLinks.verifyEmail({ tokenHash, origin: { traceId: 't' } });
      expect(await add(planted.email)).toMatchObject({ role: 'ADMIN', emailVerified: true });
    });
  });

  describe('one-time links', () => {
    async function resetLink(email: string, sent: PostedLetter | null = letter()) {
      const tokenHash = randomUUID();
      const emailHash = `hash of ${email}`;
      const kind = 'password_reset' as const;
      await store.oneTimeLinks.request({ kind, tokenHash, email, emailHash, letter: sent });
      return tokenHash;
    }
    const reset = (tokenHash: string) =>
      store.oneTimeLinks.resetPassword({
        tokenHash,
        passwordHash: 'new',
        origin: { traceId: 't' },
      });

    it('works once, within an hour, and only for the password it was made for', async () => {
      const user = await newUser();
      const [used, void_] = [await resetLink(user.email), await resetLink(user.email)];
      await reset(used);
      await expect(reset(used)).rejects.toMatchObject({ code: 'LINK_INVALID' });
      // The password is another one now.
      await expect(reset(void_)).rejects.toMatchObject({ code: 'LINK_INVALID' });
      const old = await resetLink(user.email);
      await stores.execute(
        'update one_time_links set expires_at = expires_at - ? where token_hash = ?',
        [HOUR, old],
      );
      await expect(reset(old)).rejects.toMatchObject({ code: 'LINK_INVALID' });
    });

    it('proves an address only when it was sent there', async () => {
      const [told, sent] = [await newUser(), await newUser()];
      await reset(await resetLink(told.email, null));
      await reset(await resetLink(sent.email));
      expect((await store.users.find({ email: told.email }))?.emailVerified).toBe(false);
      expect((await store.users.find({ email: sent.email }))?.emailVerified).toBe(true);
    });

    it('leaves the same rows for an unknown address, and sends nothing', async () => {
      const unknown = letter();
      const tokenHash = await resetLink('unused@example.com', unknown);
      const rows = await stores.execute('select wanted from mail_outbox where id = ?', [
        unknown.id,
      ]);
      expect(rows.map(({ wanted }) => Number(wanted))).toEqual([0]);
      await expect(reset(tokenHash)).rejects.toMatchObject({ code: 'LINK_INVALID' });
      const claimed = await store.mailOutbox.claim({ leaseMs: HOUR });
      expect(claimed.map(({ id }) => id)).not.toContain(unknown.id);
    });

    it('makes three an hour for one address, and counts used ones', async () => {
      const user = await newUser();
      for (let n = 0; n < 3; n += 1) await resetLink(user.email);
      const fourth = await resetLink(user.email);
      await expect(reset(fourth)).rejects.toMatchObject({ code: 'LINK_INVALID' });
      await stores.execute('update one_time_links set created_at = created_at - ?', [HOUR]);
      await reset(await resetLink(user.email));
    });
  });

  describe('the outbox', () => {
    const claim = (from: Store, leaseMs = HOUR) => from.mailOutbox.claim({ leaseMs });

    it('gives a letter to one process at a time, and to another when that one has died', async () => {
      while ((await claim(store)).length > 0);
      const owner = await newUser();
      await invite(owner, 'crash@example.com', 'MEMBER', true);
      const [one, two] = await Promise.all([claim(store), claim(other)]);
      const [taken] = [...one, ...two];
      expect([...one, ...two]).toHaveLength(1);
      expect(await claim(other)).toEqual([]);
      // The process is gone, and its time is over.
      await stores.execute('update mail_outbox set next_attempt_at = 0 where id = ?', [
        taken?.id ?? '',
      ]);
      expect(await claim(other)).toMatchObject([{ id: taken?.id, attempts: 2 }]);
      await other.mailOutbox.remove(taken?.id ?? '');
      expect(await store.mailOutbox.waiting()).not.toMatchObject([{ id: taken?.id }]);
    });

    it('drops a letter whose link has expired', async () => {
      const owner = await newUser();
      await invite(owner, 'expired@example.com', 'MEMBER', true);
      await stores.execute('update mail_outbox set expires_at = 1, next_attempt_at = 0');
      expect(await claim(store)).toEqual([]);
      expect(await store.mailOutbox.waiting()).toEqual([]);
    });
  });
});
