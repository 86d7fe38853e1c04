import { describe, expect, it } from 'vitest';
import { createResourceOpener } from './call-resources.ts';
import type { CallLink, InstitutionSite, RealScope } from './connector.ts';
import type { PortalHttp } from './portal/client/http-client.ts';
import type { SessionKey, SessionStore, StoredSession } from './portal/portal-session.ts';
import { passwordCredential } from './testing/fake-call.ts';

const PRODUCTION = 'https://bank.example';
const MINUTE = 60_000;

function memoryStore(now: () => number): SessionStore {
  const rows = new Map<string, StoredSession>();
  const keyOf = ({ accountLinkId, envScope }: SessionKey) => `${accountLinkId} ${envScope}`;
  return {
    read: async (key) => rows.get(keyOf(key)) ?? null,
    write: async ({ state, ...key }) => {
      rows.set(keyOf(key), { state, lastUsedAt: now() });
    },
    remove: async (key) => {
      rows.delete(keyOf(key));
    },
  };
}

/** Opens sessions of a link in an environment, at a site with these addresses. */
function resources({ realTest = PRODUCTION, site = {} as InstitutionSite } = {}) {
  const clock = { now: 0 };
  const open = createResourceOpener({
    addresses: {
      urlOf: async (envScope) => (envScope === 'production' ? PRODUCTION : realTest),
      origins: () => ({ production: PRODUCTION, realTest }),
    },
    sessions: memoryStore(() => clock.now),
    siteOf: () => site,
    vault: { seal: async (_, __, plain) => plain, open: async (_, __, sealed) => sealed },
    now: async () => clock.now,
    http: async (): Promise<PortalHttp> => ({
      open: () => {
        throw new Error('no request in this test');
      },
      close: async () => {},
    }),
  });
  const session = async (envScope: RealScope, link = REAL_LINK) => {
    const call = { organizationId: 1, provider: 'bank_b', envScope, link, account: null };
    return (await open({ ...call, signal: new AbortController().signal })).session;
  };
  return { clock, session };
}

function linkNamed(id: string): CallLink {
  const credential = passwordCredential(id, 'x');
  return { id, credential, ownerKind: null, businessNumber: null, selectedAssets: null };
}

const REAL_LINK = linkNamed('real');
const TEST_LINK = linkNamed('test');

describe('the login session of a call', () => {
  it('ends after twenty idle minutes, or after those that the institution names (D80)', async () => {
    const usual = resources();
    const short = resources({ site: { sessionIdleMs: 5 * MINUTE } });
    const long = resources({ site: { sessionIdleMs: 60 * MINUTE } });
    for (const each of [usual, short, long]) {
      await (await each.session('production')).save({ in: true });
    }
    const loadedAt = async (minutes: number) => {
      const loaded = [];
      for (const { clock, session } of [short, usual, long]) {
        clock.now = minutes * MINUTE;
        loaded.push((await (await session('production')).load()) !== null);
      }
      return loaded;
    };
    expect(await loadedAt(5)).toEqual([true, true, true]);
    expect(await loadedAt(6)).toEqual([false, true, true]);
    expect(await loadedAt(21)).toEqual([false, false, true]);
    expect(await loadedAt(61)).toEqual([false, false, false]);
    await expect((await short.session('production')).require()).rejects.toMatchObject({
      code: 'PROVIDER_SESSION_EXPIRED',
    });
  });

  it('is shared by both environments where they share a site, and otherwise not (D160)', async () => {
    const shared = resources();
    await (await shared.session('production')).save({ in: true });
    expect(await (await shared.session('real_test')).load()).toEqual({ in: true });
    const apart = resources({ realTest: 'https://test.bank.example' });
    await (await apart.session('production')).save({ in: true });
    expect(await (await apart.session('real_test')).load()).toBeNull();
  });

  it('is never that of a link with another purpose (D160)', async () => {
    for (const { session } of [resources(), resources({ realTest: 'https://test.bank.example' })]) {
      await (await session('production', REAL_LINK)).save({ who: 'real' });
      expect(await (await session('real_test', TEST_LINK)).load()).toBeNull();
      await (await session('real_test', TEST_LINK)).save({ who: 'test' });
      expect(await (await session('production', REAL_LINK)).load()).toEqual({ who: 'real' });
    }
  });
});
