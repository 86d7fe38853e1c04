import { randomUUID } from 'node:crypto';
import type { OrganizationRole } from '@changgu/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { newClientId } from '../../ids.ts';
import type { Actor } from '../../rules/principals/actor.ts';
import type { Store } from '../database.ts';
import type { PostedLetter } from '../mail/mail-outbox.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { holdLock } from '../testing/hold-lock.ts';
import { ALL_ACTS } from '../testing/no-filter.ts';
import { consoleUser, registerOwner, seedWebhook } from '../testing/seed.ts';

const origin = { traceId: 't' };

/** A member and the organization. */
interface Seat {
  readonly userId: number;
  readonly organizationId: number;
  readonly email: string;
}

interface WebhookEdit {
  readonly url?: string;
  readonly description?: string;
  readonly status?: 'ENABLED' | 'DISABLED';
}

const actorOf = ({ userId }: Seat) => consoleUser(userId);

describeStores('what a reset ends that first proves an address (D168)', (stores) => {
  let store: Store;
  let people = 0;
  beforeAll(async () => {
    store = await stores.open();
  });

  const newEmail = () => {
    people += 1;
    return `foreign${people}@example.com`;
  };
  const letter = (): PostedLetter => ({ id: randomUUID(), letter: Buffer.from('sealed') });

  async function newFounder(): Promise<Seat> {
    const email = newEmail();
    return { ...(await registerOwner(store, email)), email };
  }

  async function invite(by: Seat, role: OrganizationRole = 'ADMIN') {
    const [id, tokenHash, email] = [randomUUID(), randomUUID(), newEmail()];
    const { userId, organizationId } = by;
    const invitation = { id, userId, organizationId, email, role, tokenHash } as const;
    await store.invitations.create({ ...invitation, letter: null, actor: actorOf(by) });
    return { email, tokenHash };
  }

  /** By a link that was not sent, so it proves no address. */
  async function accept({ email, tokenHash }: Awaited<ReturnType<typeof invite>>): Promise<Seat> {
    const user = { name: 'n', passwordHash: 'h' };
    const { userId, organizationId } = await store.invitations.accept({ tokenHash, user, origin });
    return { userId, organizationId, email };
  }

  /** Asks for a mailed link; answers how to use it. */
  async function askReset({ email }: Seat) {
    const tokenHash = randomUUID();
    const link = { kind: 'password_reset', tokenHash, email, emailHash: email } as const;
    await store.oneTimeLinks.request({ ...link, letter: letter() });
    return () => store.oneTimeLinks.resetPassword({ tokenHash, passwordHash: 'new', origin });
  }

  async function issueKey(by: Seat): Promise<string> {
    const clientId = newClientId();
    await store.appCredentials.issue({
      clientId,
      secretHash: randomUUID(),
      organizationId: by.organizationId,
      label: 'k',
      envScopes: null,
      integrationProfile: 'standard_external',
      readOnly: false,
      allowedActions: null,
      allowIrreversibleTools: false,
      actor: actorOf(by),
    });
    return clientId;
  }

  const addWebhook = (seat: Seat, actor: Actor = actorOf(seat)) =>
    seedWebhook(store, { organizationId: seat.organizationId, actor });

  const hasKey = async (seat: Seat, clientId: string) =>
    (await store.appCredentials.list(seat.organizationId)).some(
      (key) => key.id === clientId && key.revokedAt === null,
    );
  const statusOf = async (table: 'webhooks' | 'deletion_requests', id: string) =>
    (await stores.execute(`select status from ${table} where id = ?`, [id]))[0]?.status;
  const statusOfHook = (id: string) => statusOf('webhooks', id);

  /** The founder, a member, and what they do with a key or webhook of either. */
  async function newColleagues() {
    const founder = await newFounder();
    const member = await accept(await invite(founder));
    const { organizationId } = founder;
    const manager = { organizationId, envScopes: null, allowedActions: null };
    return {
      founder,
      member,
      rotate: (clientId: string, by: Seat, overlapMs = 0) =>
        store.appCredentials.rotate({
          clientId,
          organizationId,
          secretHash: randomUUID(),
          overlapMs,
          actor: actorOf(by),
        }),
      revoke: (clientId: string, by: Seat) =>
        store.appCredentials.revoke({
          clientId,
          organizationId,
          reason: 'user_request',
          actor: actorOf(by),
        }),
      change: (webhookId: string, what: WebhookEdit, by: Seat) =>
        store.webhooks.update({ manager, webhookId, ...what, actor: actorOf(by) }),
      turn: (webhookId: string, keyVersion: number, by: Seat) =>
        store.webhooks.rotate({
          manager,
          webhookId,
          keyVersion,
          keys: new Uint8Array([2]),
          publicKey: 'whpk_',
          previousUntil: null,
          actor: actorOf(by),
        }),
    };
  }

  /** The token of an approved application; answers how to exchange it for a key. */
  async function mintToken(by: Seat) {
    const { organizationId } = by;
    const form = { companyName: 'c', contactEmail: 'c@a.example', useCaseText: null };
    const { id } = await store.integrators.submit({
      ...by,
      form: { ...form, expectedCustomerCount: null, requestedPlanCode: null },
      reissue: null,
      actor: actorOf(by),
    });
    const operator = { kind: 'admin_user', id: '1', traceId: null } as const;
    await store.integrators.decide({ id, decision: 'APPROVED', note: null, actor: operator });
    const tokenHash = randomUUID();
    await store.integrators.mint({ id, organizationId, tokenHash, actor: actorOf(by) });
    return async () => {
      const clientId = newClientId();
      await store.integrators.exchange({ tokenHash, clientId, secretHash: randomUUID(), origin });
      return clientId;
    };
  }

  it('are keys and webhooks of who founded the organization', async () => {
    const founder = await newFounder();
    const key = await issueKey(founder);
    const hook = await addWebhook(founder);
    const reset = await askReset(founder);
    await reset();
    expect(await hasKey(founder, key)).toBe(false);
    expect(await statusOf('webhooks', hook)).toBe('DISABLED');
  });

  it('are keys and webhooks of others that the founder has changed', async () => {
    const { founder, member, rotate, change, turn } = await newColleagues();
    const [key, other] = [await issueKey(member), await issueKey(member)];
    const hooks = [await addWebhook(member), await addWebhook(member), await addWebhook(member)];
    await rotate(key, founder);
    await rotate(other, member);
    await change(hooks[0] ?? '', { url: 'https://elsewhere.example/hook' }, founder);
    await turn(hooks[1] ?? '', 1, founder);
    await (await askReset(founder))();
    expect([await hasKey(member, key), await hasKey(member, other)]).toEqual([false, true]);
    expect(await Promise.all(hooks.map(statusOfHook))).toEqual(['DISABLED', 'DISABLED', 'ENABLED']);
  });

  it('are not keys and webhooks of others that they have changed again since', async () => {
    const { founder, member, rotate, change, turn } = await newColleagues();
    const [key, hook] = [await issueKey(member), await addWebhook(member)];
    await rotate(key, founder);
    await change(hook, { url: 'https://elsewhere.example/hook' }, founder);
    await turn(hook, 1, founder);
    await rotate(key, member);
    await change(hook, { url: 'https://receiver.example/hook' }, member);
    await turn(hook, 2, member);
    await (await askReset(founder))();
    expect(await hasKey(member, key)).toBe(true);
    expect(await statusOf('webhooks', hook)).toBe('ENABLED');
  });

  it('are keys of which a secret of the founder works until the overlap ends', async () => {
    const { founder, member, rotate } = await newColleagues();
    const [key, other] = [await issueKey(member), await issueKey(member)];
    await rotate(key, founder);
    await rotate(key, member, 60_000);
    await rotate(other, founder);
    await rotate(other, member, 60_000);
    await rotate(other, member, 60_000);
    await (await askReset(founder))();
    expect([await hasKey(member, key), await hasKey(member, other)]).toEqual([false, true]);
  });

  it('are webhooks by keys of others, while the founder knew the secret', async () => {
    const { founder, member, rotate, revoke } = await newColleagues();
    const [key, revoked] = [await issueKey(member), await issueKey(member)];
    const addBy = (id: string) => addWebhook(member, { kind: 'client', id, traceId: null });
    const before = await addBy(key);
    await rotate(key, founder);
    await rotate(revoked, founder);
    const [during, byRevoked] = [await addBy(key), await addBy(revoked)];
    await rotate(key, member);
    await revoke(revoked, founder);
    const after = await addBy(key);
    await (await askReset(founder))();
    expect(await hasKey(member, key)).toBe(true);
    expect(await Promise.all([before, during, byRevoked, after].map(statusOfHook))).toEqual([
      'ENABLED',
      'DISABLED',
      'DISABLED',
      'ENABLED',
    ]);
  });

  it('are not webhooks of others that the founder described or switched only', async () => {
    const { founder, member, change } = await newColleagues();
    const hook = await addWebhook(member);
    await change(hook, { description: 'd' }, founder);
    await change(hook, { status: 'DISABLED' }, founder);
    await change(hook, { status: 'ENABLED' }, founder);
    await change(hook, { url: 'https://receiver.example/hook' }, founder);
    await (await askReset(founder))();
    expect(await statusOf('webhooks', hook)).toBe('ENABLED');
  });

  it('are not those of who joined, because an owner chose the address', async () => {
    const member = await accept(await invite(await newFounder()));
    const key = await issueKey(member);
    const hook = await addWebhook(member);
    const [used, open] = [await mintToken(member), await mintToken(member)];
    const clientId = await used();
    const invited = await invite(member, 'MEMBER');
    const reset = await askReset(member);
    await reset();
    expect(await hasKey(member, key)).toBe(true);
    expect(await hasKey(member, clientId)).toBe(true);
    expect(await hasKey(member, await open())).toBe(true);
    expect(await statusOf('webhooks', hook)).toBe('ENABLED');
    expect(await store.invitations.find(invited.tokenHash)).toBeNull();
  });

  it('are keys by handoff, their webhooks, and tokens that were not exchanged yet', async () => {
    const founder = await newFounder();
    const [used, open] = [await mintToken(founder), await mintToken(founder)];
    const clientId = await used();
    const hook = await addWebhook(founder, { kind: 'client', id: clientId, traceId: null });
    const reset = await askReset(founder);
    await reset();
    expect(await hasKey(founder, clientId)).toBe(false);
    expect(await statusOf('webhooks', hook)).toBe('DISABLED');
    await expect(open()).rejects.toMatchObject({ code: 'HANDOFF_TOKEN_INVALID' });
  });

  it('leave the keys and webhooks of others in the organization', async () => {
    const founder = await newFounder();
    const member = await accept(await invite(founder));
    const key = await issueKey(member);
    const hook = await addWebhook(member);
    const reset = await askReset(founder);
    await reset();
    expect(await hasKey(member, key)).toBe(true);
    expect(await statusOf('webhooks', hook)).toBe('ENABLED');
  });

  it('is the request to delete the account, which would take the organization along', async () => {
    const founder = await newFounder();
    const id = randomUUID();
    await store.deletions.request({ ...founder, id, reasonText: null, actor: actorOf(founder) });
    const reset = await askReset(founder);
    await reset();
    expect(await statusOf('deletion_requests', id)).toBe('CANCELED');
    const acts = await store.audit.list({
      ...ALL_ACTS,
      act: 'deletion.withdraw',
      target: id,
      limit: 1,
    });
    expect(acts).toMatchObject([{ organizationId: founder.organizationId }]);
  });

  // Others may come between its statements on PostgreSQL only.
  describe.skipIf(stores.dialect === 'sqlite')('what is under way when the reset comes', () => {
    /** Holds a lock until both have begun, the reset last. */
    async function resetDuring(name: string, seat: Seat, work: () => Promise<unknown>) {
      const reset = await askReset(seat);
      const begun: Promise<unknown>[] = [];
      {
        await using held = await holdLock(stores, name);
        begun.push(work());
        await held.waiting(1);
        begun.push(reset());
        await held.waiting(2);
      }
      return (await Promise.allSettled(begun)).map(({ status }) => status);
    }
    const BOTH = ['fulfilled', 'fulfilled'];

    it('does not leave a key that it did not see', async () => {
      const founder = await newFounder();
      const lock = `app-credentials:${founder.organizationId}`;
      expect(await resetDuring(lock, founder, () => issueKey(founder))).toEqual(BOTH);
      const keys = await store.appCredentials.list(founder.organizationId);
      expect(keys.map(({ revokedAt }) => revokedAt === null)).toEqual([false]);
    });

    it('does not revoke an invitation that is accepted already', async () => {
      const founder = await newFounder();
      const invited = await invite(founder);
      expect(await resetDuring('members', founder, () => accept(invited))).toEqual(BOTH);
      const sql = 'select accepted_at, revoked_at from invitations where token_hash = ?';
      const [row] = await stores.execute(sql, [invited.tokenHash]);
      expect(row).toMatchObject({ revoked_at: null });
      expect(row?.accepted_at).not.toBeNull();
    });
  });
});
