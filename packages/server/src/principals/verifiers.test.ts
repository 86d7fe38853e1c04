import { setImmediate as turn } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { generateClientSecret, hashClientSecret } from '../crypto/client-secret.ts';
import { newClientId } from '../ids.ts';
import type { Actor } from '../rules/principals/actor.ts';
import type { Store } from '../store/database.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import { seedOrganization } from '../store/testing/seed.ts';
import { createVerifiers } from './verifiers.ts';

const ORIGIN = { traceId: 'trc_1' };
const ACTOR: Actor = { kind: 'admin_user', id: '1', traceId: 'trc_1' };
const tokens = {
  verify: async () => {
    throw new Error('no token is verified here');
  },
};

describeStores('a key that is revoked by another process', (stores) => {
  let here: Store;
  let there: Store;
  beforeAll(async () => {
    here = await stores.open();
    there = await stores.open();
  });

  it('is refused from then on, also where it is in constant use (D98)', async () => {
    const clientId = newClientId();
    const secret = generateClientSecret();
    await there.appCredentials.issue({
      clientId,
      secretHash: hashClientSecret(secret),
      organizationId: await seedOrganization(stores),
      label: 'test',
      envScopes: null,
      integrationProfile: 'standard_external',
      readOnly: false,
      allowedActions: null,
      allowIrreversibleTools: false,
      manageWebhooks: false,
      actor: ACTOR,
    });
    const { client } = createVerifiers(here, tokens);
    const ask = async () => (await client(clientId, secret, ORIGIN)) !== null;
    expect(await ask()).toBe(true);
    expect(await client(clientId, generateClientSecret(), ORIGIN)).toBeNull();

    let revoked = false;
    const user = async () => {
      while (!revoked) {
        await ask();
        // Requests come one by one from the network, and leave the event loop room between them.
        await turn();
      }
    };
    const users = Array.from({ length: 16 }, user);
    await there.appCredentials.revoke({
      clientId,
      organizationId: null,
      reason: 'admin_action',
      actor: ACTOR,
    });
    // Asked while lookups from before the revocation may still be under way.
    const after = await Promise.all(Array.from({ length: 16 }, ask));
    revoked = true;
    await Promise.all(users);
    expect(after.filter(Boolean)).toEqual([]);
  });
});
