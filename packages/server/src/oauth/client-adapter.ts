import type { Adapter, AdapterPayload } from 'oidc-provider';
import { SYSTEM_SCOPE, type Vault } from '../crypto/vault.ts';
import type { Actor } from '../rules/principals/actor.ts';
import type { Store } from '../store/database.ts';
import { oauthClientPlace } from '../store/schema/sealed-places.ts';
import { shownName } from './shown-client.ts';

const REGISTRATION: Actor = { kind: 'system', id: 'oauth', traceId: null };

interface ClientAdapterDependencies {
  readonly store: Pick<Store, 'oauthClients'>;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
}

/** Registered clients, which have their own table because operators list them. */
export function clientAdapter({ store, vault }: ClientAdapterDependencies): Adapter {
  return {
    async upsert(clientId, payload) {
      const plaintext = Buffer.from(JSON.stringify(payload));
      await store.oauthClients.add({
        clientId,
        name: shownName({ clientName: payload.client_name, clientId }),
        origin: 'registered',
        mayIntrospect: false,
        resource: null,
        metadata: await vault.seal(SYSTEM_SCOPE, oauthClientPlace(clientId), plaintext),
        actor: REGISTRATION,
      });
    },
    async find(clientId) {
      // PostgreSQL would not even look.
      if (clientId.includes('\u0000')) return undefined;
      const found = await store.oauthClients.find(clientId);
      if (found === null) return undefined;
      const place = oauthClientPlace(clientId);
      const bytes = await vault.open(SYSTEM_SCOPE, place, found.metadata);
      const metadata: AdapterPayload = JSON.parse(Buffer.from(bytes).toString());
      return metadata;
    },
    findByUid: none,
    findByUserCode: none,
    consume: none,
    async destroy(clientId) {
      await store.oauthClients.remove({ clientId, actor: REGISTRATION });
    },
    revokeByGrantId: none,
  };
}

async function none(): Promise<undefined> {
  return undefined;
}
