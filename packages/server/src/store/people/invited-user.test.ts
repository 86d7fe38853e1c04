import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { beforeAll, expect, it, vi } from 'vitest';
import type { Store } from '../database.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { registerOwner } from '../testing/seed.ts';

const actor = { kind: 'system', id: 'test', traceId: null } as const;
const origin = { traceId: 't' };
const IDENTITY = {
  provider: 'corp',
  issuer: 'https://corp.example',
  subject: 's',
  domain: 'a.example',
};

describeStores('a person who was invited', (stores) => {
  let store: Store;
  let owner: { readonly userId: number; readonly organizationId: number };
  beforeAll(async () => {
    store = await stores.open();
    owner = await registerOwner(store, 'owner@a.example');
    await stores.execute('insert into login_domains values (?, ?, ?, ?)', [
      owner.organizationId,
      IDENTITY.provider,
      IDENTITY.domain,
      1,
    ]);
  });

  async function invite(email: string) {
    const [id, tokenHash] = [randomUUID(), randomUUID()];
    await store.invitations.create({
      ...owner,
      id,
      email,
      role: 'MEMBER',
      tokenHash,
      letter: null,
      actor,
    });
    return { id, tokenHash };
  }

  const person = { name: 'n', passwordHash: 'h' };
  const ways = [
    {
      way: 'accepts',
      email: 'one@a.example',
      join: ({ tokenHash }: { readonly tokenHash: string }) =>
        store.invitations.accept({ tokenHash, user: person, origin }),
    },
    {
      way: 'logs in at an identity provider',
      email: 'two@a.example',
      join: ({ id }: { readonly id: string }) =>
        store.identities.join({
          ...IDENTITY,
          ...person,
          email: 'two@a.example',
          invitationId: id,
          origin,
        }),
    },
  ];

  // On SQLite no other comes between the look and the write.
  it.skipIf(stores.dialect === 'sqlite').each(ways)(
    'and $way while the same address registers is told that the link is invalid',
    async ({ email, join }) => {
      const invitation = await invite(email);
      const registering = new pg.Client(await stores.url());
      await registering.connect();
      await registering.query('begin');
      await registering.query(
        "insert into users (email, name, password_hash, created_at) values ($1, 'n', 'h', 1)",
        [email],
      );
      const joined = Promise.allSettled([join(invitation)]);
      const waiting = `select 1 from pg_locks
        where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`;
      await vi.waitFor(
        async () => expect((await registering.query(waiting)).rowCount).toBe(1),
        10_000,
      );
      await registering.query('commit');
      await registering.end();
      expect(await joined).toMatchObject([
        { status: 'rejected', reason: { code: 'LINK_INVALID' } },
      ]);
    },
  );
});
