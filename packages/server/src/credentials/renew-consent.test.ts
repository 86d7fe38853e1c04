import { describe, expect, it } from 'vitest';
import type { LinkRow } from '../store/queue/call-rows.ts';
import { openCallLink } from './call-credentials.ts';
import { consentRenewal, type RenewalDependencies } from './renew-consent.ts';

const LINK = {
  organizationId: 1,
  provider: 'bank_d',
  accountLinkId: 'link',
  purpose: 'test',
} as const;

/** Sealing is the turn of the bytes and the number of a key here: the vault has tests of its own. */
const vault: RenewalDependencies['vault'] = {
  seal: async (_scope, _place, bytes) => withKey(bytes.toReversed(), 1),
  open: async (_scope, _place, bytes) => bytes.subarray(0, -1).toReversed(),
};

const withKey = (bytes: Uint8Array, key: number) => Buffer.from([...bytes, key]);

const sealed = (token: string, key = 1) =>
  withKey(
    Buffer.from(JSON.stringify({ type: 'consent', authorization: { token } })).toReversed(),
    key,
  );

const ROW: LinkRow = {
  id: LINK.accountLinkId,
  status: 'ACTIVE',
  suspendedCode: null,
  purpose: 'test',
  authType: 'consent',
  credential: sealed('a'),
  revision: 1,
  ownerKind: null,
  businessNumber: null,
  selectedAssets: null,
};

/** A bank that takes each refresh token once, and a row that another run may write. */
async function startRun() {
  const used = new Set<unknown>();
  const existing: { -readonly [Name in keyof LinkRow]: LinkRow[Name] } = { ...ROW };
  const server = {
    async renew({ token }: Readonly<Record<string, unknown>>) {
      if (used.has(token)) return null;
      used.add(token);
      return { token: `${String(token)}+` };
    },
  };
  const store: RenewalDependencies['store'] = {
    accountLinks: {
      async renew({ from, to }) {
        if (!existing.credential || Buffer.compare(existing.credential, from) !== 0) return false;
        existing.credential = to;
        return true;
      },
    },
    engine: { readCallRows: async () => ({ link: existing, account: null }) },
  };
  const renewal = consentRenewal(
    { store, vault, consentServers: { of: async () => server } },
    LINK,
  );
  const open = async () => {
    const { credential } = await openCallLink(vault, LINK.organizationId, ROW, renewal);
    if (credential.type !== 'consent') throw new Error('not a consent');
    return credential;
  };
  return { existing, first: await open(), second: await open() };
}

describe('the renewal of a consent (D103)', () => {
  it('is stored sealed at the link and used for the rest of the run', async () => {
    const { existing, first } = await startRun();
    expect(await first.renew()).toEqual({ token: 'a+' });
    expect(first.authorization).toEqual({ token: 'a+' });
    expect(existing.credential).toEqual(sealed('a+'));
    expect(await first.renew()).toEqual({ token: 'a++' });
    expect(existing.credential).toEqual(sealed('a++'));
  });

  it('uses the tokens of a concurrent run that renewed them first', async () => {
    const { existing, first, second } = await startRun();
    await first.renew();
    expect(await second.renew()).toEqual({ token: 'a+' });
    expect(existing.credential).toEqual(sealed('a+'));
  });

  it('is stored also where the link was sealed with another key meanwhile', async () => {
    const { existing, first, second } = await startRun();
    existing.credential = sealed('a', 2);
    expect(await first.renew()).toEqual({ token: 'a+' });
    expect(existing.credential).toEqual(sealed('a+'));
    existing.credential = sealed('a+', 2);
    expect(await second.renew()).toEqual({ token: 'a+' });
  });

  it('has ended where refused tokens are only sealed with another key', async () => {
    const { existing, first, second } = await startRun();
    existing.credential = null;
    await first.renew();
    existing.credential = sealed('a', 2);
    expect(await second.renew()).toBeNull();
  });

  it('writes nothing back after unlinking, and treats refused tokens as a missing consent', async () => {
    const { existing, first, second } = await startRun();
    existing.credential = null;
    expect(await first.renew()).toEqual({ token: 'a+' });
    expect(existing.credential).toBeNull();
    expect(await second.renew()).toBeNull();
    expect(second.authorization).toEqual({ token: 'a' });
  });
});
