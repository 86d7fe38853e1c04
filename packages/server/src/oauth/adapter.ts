import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';
import { artifactHash } from '../crypto/artifact-hash.ts';
import { SYSTEM_SCOPE, type Vault } from '../crypto/vault.ts';
import type { Actor } from '../rules/principals/actor.ts';
import type { Store } from '../store/database.ts';
import type { ArtifactSearch } from '../store/oauth/artifacts.ts';
import { oauthArtifactPlace } from '../store/schema/sealed-places.ts';
import { clientAdapter } from './client-adapter.ts';

export interface AdapterDependencies {
  readonly store: Pick<Store, 'oauthArtifacts' | 'oauthClients' | 'oauthGrants'>;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly realNow: () => number;
  /** The library's error for a code or refresh token that is used twice. */
  readonly alreadyUsed: (kind: string) => Error;
}

/** Kinds that belong to an approval and end with it. */
const GRANTABLE = new Set(['AccessToken', 'AuthorizationCode', 'RefreshToken', 'DeviceCode']);
const AUTHORIZATION_SERVER: Actor = { kind: 'system', id: 'oauth', traceId: null };
/** The lifetime of kinds that have none of their own. */
const MAX_SECONDS = 400 * 86_400;

/** Everything that the library stores, in one sealed table whose keys are hashes. */
export function createAdapter(dependencies: AdapterDependencies): AdapterFactory {
  return (kind) =>
    kind === 'Client' ? clientAdapter(dependencies) : artifactAdapter(kind, dependencies);
}

function artifactAdapter(kind: string, dependencies: AdapterDependencies): Adapter {
  const { store, vault, realNow, alreadyUsed } = dependencies;

  async function find(search: ArtifactSearch): Promise<AdapterPayload | undefined> {
    const found = await store.oauthArtifacts.find(search);
    if (found === null) return undefined;
    const place = oauthArtifactPlace(kind, found.idHash);
    const bytes = await vault.open(SYSTEM_SCOPE, place, found.payload);
    const payload: AdapterPayload = JSON.parse(Buffer.from(bytes).toString());
    return found.consumedAt === null
      ? payload
      : { ...payload, consumed: Math.floor(found.consumedAt / 1_000) };
  }

  return {
    async upsert(id, payload, expiresIn) {
      const idHash = artifactHash(id);
      const kept = kind === 'Session' ? withoutPerson(payload) : payload;
      const plaintext = Buffer.from(JSON.stringify(kept));
      await store.oauthArtifacts.save({
        kind,
        idHash,
        uidHash: payload.uid === undefined ? null : artifactHash(payload.uid),
        userCodeHash: payload.userCode === undefined ? null : artifactHash(payload.userCode),
        grantId: grantOf(kind, id, payload),
        payload: await vault.seal(SYSTEM_SCOPE, oauthArtifactPlace(kind, idHash), plaintext),
        expiresAt: realNow() + (expiresIn ?? MAX_SECONDS) * 1_000,
      });
    },
    find: (id) => find({ kind, idHash: artifactHash(id) }),
    findByUid: (uid) => find({ kind, uidHash: artifactHash(uid) }),
    findByUserCode: (userCode) => find({ kind, userCodeHash: artifactHash(userCode) }),
    async consume(id) {
      // The library checked earlier; of two concurrent requests only one gets through.
      const isFirst = await store.oauthArtifacts.consume({ kind, idHash: artifactHash(id) });
      if (!isFirst) throw alreadyUsed(kind);
    },
    async destroy(id) {
      if (kind === 'Grant') {
        await store.oauthGrants.end({ grantId: id, actor: AUTHORIZATION_SERVER });
      } else {
        await store.oauthArtifacts.remove({ kind, idHash: artifactHash(id) });
      }
    },
    async revokeByGrantId(grantId) {
      await store.oauthGrants.end({ grantId, actor: AUTHORIZATION_SERVER });
    },
  };
}

function grantOf(kind: string, id: string, payload: AdapterPayload): string | null {
  if (kind === 'Grant') return id;
  return GRANTABLE.has(kind) ? (payload.grantId ?? null) : null;
}

/**
 * The library would let a browser that has approved once continue without asking. Here every request asks,
 * and the console's session decides who is there.
 */
function withoutPerson(session: AdapterPayload): AdapterPayload {
  const { accountId: _person, authorizations: _approved, loginTs: _at, ...rest } = session;
  return rest;
}
