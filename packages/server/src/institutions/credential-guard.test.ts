import { describe, expect, it } from 'vitest';
import type { PortalClient, PortalRequest } from './connector.ts';
import { guardCredential } from './credential-guard.ts';
import { InstitutionError } from './institution-error.ts';

const link = {
  id: 'link',
  credential: { type: 'id_password', loginId: 'hong', loginPassword: 'right horse' },
  ownerKind: null,
  businessNumber: null,
  selectedAssets: null,
} as const;

function harness() {
  const announced: string[] = [];
  const sent: PortalRequest[] = [];
  const guard = guardCredential(
    { link, account: { accountPassword: '4821' }, secrets: { pin: '900011' } },
    async () => {
      announced.push('announced');
    },
  );
  const client: PortalClient = {
    cookies: () => ({}),
    async request(request) {
      sent.push(request);
      throw new Error('no answer');
    },
  };
  return { announced, sent, guard, watched: guard.watch(client) };
}

const upstream = () => Promise.reject(new InstitutionError('PROVIDER_UPSTREAM_ERROR'));

describe('guardCredential', () => {
  it('announces a credential once, before it is sent', async () => {
    const { guard, announced } = harness();
    expect(guard.isSent()).toBe(false);
    await guard.present(async () => expect(announced).toEqual(['announced']));
    await guard.present(async () => {});
    expect(announced).toHaveLength(1);
    expect(guard.isSent()).toBe(true);
    expect(guard.isUnclear()).toBe(false);
  });

  it('sends nothing again after an answer that was not understood (D165)', async () => {
    const { guard } = harness();
    await expect(guard.present(upstream)).rejects.toThrow();
    expect(guard.isUnclear()).toBe(true);
    let ran = false;
    const again = guard.present(async () => {
      ran = true;
    });
    await expect(again).rejects.toMatchObject({ code: 'PROVIDER_UPSTREAM_ERROR' });
    expect(ran).toBe(false);
  });

  it('sends nothing again after a refusal, which is clear (D165)', async () => {
    const { guard } = harness();
    const refuse = () => Promise.reject(new InstitutionError('PROVIDER_CREDENTIAL_REJECTED'));
    await expect(guard.present(refuse)).rejects.toThrow();
    expect(guard.isUnclear()).toBe(false);
    await expect(guard.present(async () => {})).rejects.toThrow();
  });

  it('sends nothing when the announcement is refused', async () => {
    const guard = guardCredential({ link, account: null, secrets: {} }, async () => {
      throw new Error('lost');
    });
    let ran = false;
    const sending = guard.present(async () => {
      ran = true;
    });
    await expect(sending).rejects.toThrow('lost');
    expect(ran).toBe(false);
  });

  it.each<[string, PortalRequest]>([
    ['a form', { path: '/', form: { pw: 'right horse' } }],
    ['a query', { path: '/', query: { pin: '4821' } }],
    ['a JSON body', { path: '/', json: { deep: [{ pin: '900011' }] } }],
    ['a header', { path: '/', headers: { 'x-pin': '900011' } }],
  ])('notices a password in %s that nothing announced', async (_where, request) => {
    const { guard, watched, announced, sent } = harness();
    await expect(watched.request({ path: '/', form: { q: '48210' } })).rejects.toThrow('no answer');
    expect(announced).toEqual([]);
    await expect(watched.request(request)).rejects.toThrow('no answer');
    expect(announced).toHaveLength(1);
    expect(guard.isUnclear()).toBe(true);
    await expect(watched.request(request)).rejects.toMatchObject({ name: 'InstitutionError' });
    expect(sent).toHaveLength(2);
  });

  it('notices a signature that nothing announced', async () => {
    const guard = guardCredential({ link: null, account: null, secrets: {} }, async () => {});
    const watched = guard.watchLink({
      ...link,
      credential: {
        type: 'certificate',
        certificateDer: new Uint8Array(),
        randomVid: null,
        sign: async () => new Uint8Array(),
      },
    });
    const client = guard.watch({ cookies: () => ({}), request: () => Promise.reject(upstream) });
    if (watched?.credential.type === 'certificate') {
      await watched.credential.sign(new Uint8Array());
    }
    await client.request({ path: '/' }).catch(() => {});
    expect(guard.isSent()).toBe(true);
  });
});
