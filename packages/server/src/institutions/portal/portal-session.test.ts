import { expect, it } from 'vitest';
import type { Vault } from '../../crypto/vault.ts';
import type { Store } from '../../store/database.ts';
import { describeStores } from '../../store/testing/describe-stores.ts';
import type { SessionKey } from './portal-session.ts';
import { createPortalSessions, NO_SESSION } from './portal-session.ts';

/** Marks what it has sealed and where; the real one has its own tests. */
const vault: Pick<Vault, 'open' | 'seal'> = {
  seal: async (owner, place, plain) => Buffer.concat([mark(owner, place), plain]),
  async open(owner, place, sealed) {
    const expected = mark(owner, place);
    expect(Buffer.from(sealed).subarray(0, expected.length)).toEqual(expected);
    return sealed.subarray(expected.length);
  },
};

const mark = (owner: string, place: object) => Buffer.from(`${owner}${JSON.stringify(place)}`);
const ALIVE = new AbortController().signal;

let links = 0;

async function linkAt(store: Store): Promise<SessionKey> {
  links += 1;
  const { organizationId } = await store.users.register({
    email: `session${links}@example.com`,
    name: '홍길동',
    phone: null,
    passwordHash: 'x',
    organizationName: '창구',
    businessNumber: null,
    origin: { traceId: null },
  });
  const accountLinkId = `00000000-0000-4000-8000-${String(links).padStart(12, '0')}`;
  await store.accountLinks.save({
    organizationId,
    actor: { kind: 'system', id: 'test', traceId: null },
    drafts: [
      {
        id: accountLinkId,
        provider: 'si_edi',
        purpose: 'test',
        revision: null,
        authType: 'id_password',
        identity: accountLinkId,
        credential: new Uint8Array([1]),
        certificate: null,
        ownerKind: null,
        primary: 'keep',
      },
    ],
  });
  return { organizationId, accountLinkId, envScope: 'real_test' };
}

describeStores('D80 portal sessions', (stores) => {
  it('are kept per link and environment, for every process and a later start', async () => {
    const [one, other] = [await stores.open(), await stores.open()];
    const key = await linkAt(one);
    const session = createPortalSessions(one.portalSessions, vault, one.clock.now).of(key, ALIVE);
    await expect(session.require()).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
    await session.save({ cookies: { a: 1 } });
    const sessions = createPortalSessions(other.portalSessions, vault, other.clock.now);
    expect(await sessions.of(key, ALIVE).require()).toEqual({ cookies: { a: 1 } });
    const production = { ...key, envScope: 'production' } as const;
    expect(await sessions.of(production, ALIVE).load()).toBeNull();
    const foreign = { ...key, organizationId: key.organizationId + 1_000 };
    expect(await sessions.of(foreign, ALIVE).load()).toBeNull();
    await session.clear();
    expect(await sessions.of(key, ALIVE).load()).toBeNull();
  });

  it('idle out after twenty minutes of business time', async () => {
    const store = await stores.open();
    const key = await linkAt(store);
    const session = createPortalSessions(store.portalSessions, vault, store.clock.now).of(
      key,
      ALIVE,
    );
    await session.save({});
    await store.clock.advance({ seconds: 19 * 60 });
    await session.save(await session.require());
    await store.clock.advance({ seconds: 20 * 60 + 1 });
    expect(await session.load()).toBeNull();
    await expect(session.require()).rejects.toMatchObject({ code: 'PROVIDER_SESSION_EXPIRED' });
    await store.clock.advance({ seconds: 86_400 });
    while (await store.engine.purgePortalSessions());
    await expect(session.require()).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
  });

  it('a call that was stopped writes none', async () => {
    const store = await stores.open();
    const key = await linkAt(store);
    const stopped = AbortSignal.abort(new Error('lost'));
    const sessions = createPortalSessions(store.portalSessions, vault, store.clock.now);
    await expect(sessions.of(key, stopped).save({})).rejects.toThrow('lost');
    expect(await sessions.of(key, ALIVE).load()).toBeNull();
  });
});

it('a call without a link has no session', async () => {
  expect(await NO_SESSION.load()).toBeNull();
  await expect(NO_SESSION.require()).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
});
