import type { SealedPlace, Vault } from '../../crypto/vault.ts';
import { PORTAL_SESSION_IDLE_MS } from '../../rules/jobs/session-idle.ts';
import type { JsonObject, PortalSession, RealScope } from '../connector.ts';
import { InstitutionError } from '../institution-error.ts';

export interface SessionKey {
  readonly organizationId: number;
  readonly accountLinkId: string;
  readonly envScope: RealScope;
}

export interface StoredSession {
  readonly state: Uint8Array;
  /** Business time. */
  readonly lastUsedAt: number;
}

/** Sealed sessions, stored where every process and later starts find them. */
export interface SessionStore {
  read(key: SessionKey): Promise<StoredSession | null>;
  /** Marks it as used now; stores nothing for a link that was removed in the meantime. */
  write(session: SessionKey & { readonly state: Uint8Array }): Promise<void>;
  remove(key: SessionKey): Promise<void>;
}

export interface PortalSessions {
  /** Writes nothing once `signal` is aborted, because another worker may own the job by then. */
  of(key: SessionKey, signal: AbortSignal, idleMs?: number): PortalSession;
}

/** Links' sessions, sealed. Idle time is business time. */
export function createPortalSessions(
  store: SessionStore,
  vault: Pick<Vault, 'open' | 'seal'>,
  now: () => Promise<number>,
): PortalSessions {
  return {
    of(key, signal, idleMs = PORTAL_SESSION_IDLE_MS) {
      const owner = String(key.organizationId);

      async function load(missing: () => null): Promise<JsonObject | null> {
        const stored = await store.read(key);
        if (stored === null) return missing();
        if ((await now()) - stored.lastUsedAt > idleMs) return null;
        const opened = await vault.open(owner, placeOf(key), stored.state);
        return JSON.parse(Buffer.from(opened).toString());
      }

      return {
        load: () => load(() => null),
        async require() {
          const state = await load(() => {
            throw new InstitutionError('AUTH_REQUIRED');
          });
          if (state === null) throw new InstitutionError('PROVIDER_SESSION_EXPIRED');
          return state;
        },
        async save(state) {
          const json = Buffer.from(JSON.stringify(state));
          const sealed = await vault.seal(owner, placeOf(key), json);
          signal.throwIfAborted();
          await store.write({ ...key, state: sealed });
        },
        async clear() {
          signal.throwIfAborted();
          await store.remove(key);
        },
      };
    },
  };
}

/** For a call without a link: there is no session and none can be stored. */
export const NO_SESSION: PortalSession = {
  load: async () => null,
  async require() {
    throw new InstitutionError('AUTH_REQUIRED');
  },
  async save() {
    throw new TypeError('a call without a link has no session to keep');
  },
  clear: async () => {},
};

function placeOf({ accountLinkId, envScope }: SessionKey): SealedPlace {
  return { table: 'portal_sessions', column: 'state', row: `${accountLinkId}:${envScope}` };
}
