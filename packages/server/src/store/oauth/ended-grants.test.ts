import { randomUUID } from 'node:crypto';
import type { OrganizationRole } from '@changgu/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '../../rules/principals/actor.ts';
import type { Store } from '../database.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { consoleUser, registerOwner } from '../testing/seed.ts';

const OPERATOR: Actor = { kind: 'admin_user', id: '1', traceId: null };
const DAY = 86_400_000;

describeStores('an approval whose person loses the right to give it', (stores) => {
  let store: Store;
  let people = 0;
  beforeAll(async () => {
    store = await stores.open();
  });

  const newEmail = () => {
    people += 1;
    return `approver${people}@example.com`;
  };

  /** An owner, and an ADMIN who approved a client. */
  async function approved() {
    const owner = await registerOwner(store, newEmail());
    const [tokenHash, email] = [randomUUID(), newEmail()];
    await store.invitations.create({
      ...owner,
      id: randomUUID(),
      email,
      role: 'ADMIN',
      tokenHash,
      letter: null,
      actor: consoleUser(owner.userId),
    });
    const user = { name: 'n', passwordHash: 'h' };
    const origin = { traceId: 't' };
    const { userId } = await store.invitations.accept({ tokenHash, user, origin });
    const { organizationId } = owner;
    const grant = await store.oauthGrants.approve({
      id: randomUUID(),
      organizationId,
      userId,
      clientId: 'client',
      clientName: 'c',
      redirectHost: null,
      scopes: ['jobs:read'],
      envScopes: ['sandbox'],
      allowedActions: null,
      expiresAt: Date.now() + 90 * DAY,
      actor: consoleUser(userId),
    });
    const isRevoked = async () => (await store.oauthGrants.find(grant.id))?.revokedAt !== null;
    return { owner, email, userId, organizationId, isRevoked };
  }

  type Approved = Awaited<ReturnType<typeof approved>>;

  const changes: Record<string, (person: Approved, role: OrganizationRole) => Promise<unknown>> = {
    'an owner': ({ owner, userId, organizationId }, role) =>
      store.members.setRole({
        organizationId,
        userId,
        role,
        by: owner.userId,
        actor: consoleUser(owner.userId),
      }),
    'the operator': ({ email, organizationId }, role) =>
      store.members.add({ organizationId, email, role, actor: OPERATOR }),
  };

  describe.each(Object.entries(changes))('by %s', (_, change) => {
    it('has ended, and stays so when the person may approve again (D167)', async () => {
      const person = await approved();
      await change(person, 'MEMBER');
      expect(await person.isRevoked()).toBe(true);
      await change(person, 'ADMIN');
      expect(await person.isRevoked()).toBe(true);
    });

    it('stays while the person may approve (D167)', async () => {
      const person = await approved();
      await change(person, 'ADMIN');
      expect(await person.isRevoked()).toBe(false);
    });
  });
});
