import { beforeAll, expect, it } from 'vitest';
import { generateClientSecret, hashClientSecret } from '../crypto/client-secret.ts';
import { newClientId } from '../ids.ts';
import type { Actor } from '../rules/principals/actor.ts';
import type { Verifiers } from '../rules/principals/principal.ts';
import type { Store } from '../store/database.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import { seedOrganization } from '../store/testing/seed.ts';
import { createVerifiers } from './verifiers.ts';

const HOUR_SECONDS = 3_600;
const ORIGIN = { traceId: 'trc_1', address: '203.0.113.7' };
const ACTOR: Actor = { kind: 'admin_user', id: '1', traceId: 'trc_1' };
const TOKENS = {
  verify: async () => {
    throw new Error('no token is verified here');
  },
};

describeStores('a key in use in two processes', (stores) => {
  let here: Store;
  let there: Store;
  let processes: Verifiers[];
  beforeAll(async () => {
    here = await stores.open();
    there = await stores.open();
    processes = [createVerifiers(here, TOKENS), createVerifiers(there, TOKENS)];
  });

  /** A new key that both processes have just used. */
  async function keyInUse(limits: { readonly expiresAt?: number } = {}) {
    const key = { clientId: newClientId(), secret: generateClientSecret() };
    const organizationId = await seedOrganization(stores);
    await here.appCredentials.issue({
      clientId: key.clientId,
      secretHash: hashClientSecret(key.secret),
      organizationId,
      label: 'test',
      envScopes: null,
      integrationProfile: 'standard_external',
      readOnly: false,
      allowedActions: null,
      allowIrreversibleTools: false,
      ...limits,
      actor: ACTOR,
    });
    for (const principal of await principals(key)) expect(principal).not.toBeNull();
    return { ...key, organizationId };
  }

  /** Who the key is in each process, asked several times at once. */
  async function principals({ clientId, secret }: { clientId: string; secret: string }) {
    const asks = processes.flatMap((process) => [process, process, process]);
    const found = asks.map(({ client }) => client(clientId, secret, ORIGIN));
    return Promise.all(found);
  }

  const allRefused = Array(6).fill(null);
  const update = (assignment: string, clientId: string) =>
    stores.execute(`update app_credentials set ${assignment} where client_id = ?`, [clientId]);

  it.each(['key', 'organization'] as const)(
    'is refused from the next request on when an operator disables the %s, and works again after',
    async (kind) => {
      const key = await keyInUse();
      const id = kind === 'key' ? key.clientId : String(key.organizationId);
      await here.switches.set({ kind, id, disabled: true, actor: ACTOR });
      expect(await principals(key)).toEqual(allRefused);
      await there.switches.set({ kind, id, disabled: false, actor: ACTOR });
      expect(await principals(key)).not.toContain(null);
    },
  );

  it('is refused from the next request on when it was revoked (D98)', async () => {
    const key = await keyInUse();
    const { clientId } = key;
    await here.appCredentials.revoke({
      clientId,
      organizationId: null,
      reason: 'admin_action',
      actor: ACTOR,
    });
    expect(await principals(key)).toEqual(allRefused);
  });

  it('takes the new secret and not the old one after a rotation, but for the overlap', async () => {
    const key = await keyInUse();
    const rotate = async (overlapMs: number) => {
      const secret = generateClientSecret();
      const secretHash = hashClientSecret(secret);
      const { clientId } = key;
      const rotation = { clientId, organizationId: null, secretHash, overlapMs, actor: ACTOR };
      await there.appCredentials.rotate(rotation);
      return { ...key, secret };
    };
    const second = await rotate(0);
    expect(await principals(key)).toEqual(allRefused);
    expect(await principals(second)).not.toContain(null);
    const third = await rotate(HOUR_SECONDS * 1_000);
    expect(await principals(second)).not.toContain(null);
    expect(await principals(third)).not.toContain(null);
    await here.clock.advance({ seconds: HOUR_SECONDS + 1 });
    expect(await principals(second)).toEqual(allRefused);
    expect(await principals(third)).not.toContain(null);
  });

  it('is refused from the moment that it expires', async () => {
    const now = await here.clock.now();
    const key = await keyInUse({ expiresAt: now + 2 * HOUR_SECONDS * 1_000 });
    await there.clock.advance({ seconds: 2 * HOUR_SECONDS + 1 });
    expect(await principals(key)).toEqual(allRefused);
  });

  it('has the rights and addresses of the moment', async () => {
    const key = await keyInUse();
    await update(`read_only = 1, allowed_env_scopes = '["real_test"]'`, key.clientId);
    for (const principal of await principals(key)) {
      expect(principal).toMatchObject({ readOnly: true, allowedEnvScopes: ['real_test'] });
    }
    await update(`allowed_addresses = '["198.51.100.0/24"]'`, key.clientId);
    expect(await principals(key)).toEqual(allRefused);
    await update(`allowed_addresses = '["203.0.113.0/24"]'`, key.clientId);
    expect(await principals(key)).not.toContain(null);
  });
});
