import { randomUUID } from 'node:crypto';
import type { OrganizationRole } from '@changgu/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../database.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { registerOwner } from '../testing/seed.ts';

const actor = { kind: 'system', id: 'test', traceId: null } as const;
const origin = { traceId: 't' };
const person = { name: 'n', passwordHash: 'h' };
const CORP = { provider: 'corp', domain: 'a.example' };
const IDENTITY = { ...CORP, issuer: 'https://corp.example', subject: 's' };

/** A member and the organization. */
interface Seat {
  readonly userId: number;
  readonly organizationId: number;
}

describeStores('an invitation whose inviter may no longer give it (D168)', (stores) => {
  let store: Store;
  let owners = 0;
  beforeAll(async () => {
    store = await stores.open();
  });

  async function newOwner(): Promise<Seat> {
    owners += 1;
    const owner = await registerOwner(store, `owner${owners}@a.example`);
    await store.loginDomains.allow({ ...CORP, organizationId: owner.organizationId, actor });
    return owner;
  }

  async function invite(by: Seat, role: OrganizationRole) {
    const [id, tokenHash] = [randomUUID(), randomUUID()];
    const email = `${id}@a.example`;
    await store.invitations.create({ ...by, id, email, role, tokenHash, letter: null, actor });
    return { id, tokenHash, email };
  }

  async function join(owner: Seat, role: OrganizationRole): Promise<Seat> {
    const { tokenHash } = await invite(owner, role);
    const { userId } = await store.invitations.accept({ tokenHash, user: person, origin });
    return { userId, organizationId: owner.organizationId };
  }

  const change = (by: Seat, of: Seat) => ({ ...of, by: by.userId, actor });
  const opens = async ({ id, tokenHash, email }: Awaited<ReturnType<typeof invite>>, by: Seat) => ({
    byLink: (await store.invitations.find(tokenHash)) !== null,
    atProvider: (await store.identities.find({ ...IDENTITY, email })).invitation !== null,
    listed: (await store.invitations.list(by.organizationId)).some((each) => each.id === id),
  });
  const OPEN = { byLink: true, atProvider: true, listed: true };
  const ENDED = { byLink: false, atProvider: false, listed: false };

  describe.each([
    { how: 'was removed', end: (owner: Seat, by: Seat) => store.members.remove(change(owner, by)) },
    {
      how: 'was made a MEMBER',
      end: (owner: Seat, by: Seat) =>
        store.members.setRole({ ...change(owner, by), role: 'MEMBER' as const }),
    },
  ])('because the inviter $how', ({ end }) => {
    it.each(['OWNER', 'MEMBER'] as const)(
      'lets no %s in, by its link or at a provider',
      async (role) => {
        const owner = await newOwner();
        const inviter = await join(owner, 'OWNER');
        const invitation = await invite(inviter, role);
        expect(await opens(invitation, owner)).toEqual(OPEN);
        await end(owner, inviter);
        expect(await opens(invitation, owner)).toEqual(ENDED);
        const { tokenHash, email, id } = invitation;
        await expect(
          store.invitations.accept({ tokenHash, user: person, origin }),
        ).rejects.toMatchObject({ code: 'LINK_INVALID' });
        await expect(
          store.identities.join({ ...IDENTITY, ...person, email, invitationId: id, origin }),
        ).rejects.toMatchObject({ code: 'LINK_INVALID' });
      },
    );
  });

  it('stays open for a MEMBER where the inviter became an ADMIN, and for no one above', async () => {
    const owner = await newOwner();
    const inviter = await join(owner, 'OWNER');
    const [below, same] = [await invite(inviter, 'MEMBER'), await invite(inviter, 'ADMIN')];
    await store.members.setRole({ ...change(owner, inviter), role: 'ADMIN' });
    expect(await opens(below, owner)).toEqual(OPEN);
    expect(await opens(same, owner)).toEqual(ENDED);
  });

  it('waits while an operator keeps the inviter or the organization disabled', async () => {
    const owner = await newOwner();
    const invitation = await invite(owner, 'MEMBER');
    const email = `owner${owners}@a.example`;
    for (const of of [
      { kind: 'user', id: email } as const,
      { kind: 'organization', id: String(owner.organizationId) } as const,
    ]) {
      await store.switches.set({ ...of, disabled: true, actor });
      expect(await opens(invitation, owner)).toMatchObject({ byLink: false, atProvider: false });
      await store.switches.set({ ...of, disabled: false, actor });
      expect(await opens(invitation, owner)).toEqual(OPEN);
    }
  });
});
