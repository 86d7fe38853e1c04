import { DAY_MS } from '../rules/durations.ts';
import type { Origin } from '../rules/principals/actor.ts';
import { addressKey } from '../rules/principals/address-key.ts';
import type { ClientPrincipal, LegacyKeyPrincipal } from '../rules/principals/principal.ts';
import type { Store } from '../store/database.ts';

const MAX_REMEMBERED = 10_000;

type Key = Pick<ClientPrincipal | LegacyKeyPrincipal, 'kind' | 'id' | 'organizationId'>;

/** How the audit log calls a key. */
const NAMES = { client: 'app_credential', legacy_api_key: 'legacy_api_key' } as const;

/** Records when and from where keys are used: once a day for each key and address, in the background. */
export interface KeyUse {
  used(key: Key, origin: Origin): void;
  /** The key exists but may not be used like this. */
  refused(key: Key, origin: Origin, reason: 'secret' | 'address'): void;
}

export function createKeyUse(
  { keyUse, audit }: Pick<Store, 'keyUse' | 'audit'>,
  now: () => number,
): KeyUse {
  const noted = new Map<string, number>();

  /** Whether this did not happen within the last day, as far as this process remembers. */
  function isNew(what: string): boolean {
    const before = noted.get(what);
    if (before !== undefined && now() - before < DAY_MS) return false;
    const [oldest] = noted.keys();
    if (noted.size >= MAX_REMEMBERED && oldest !== undefined) noted.delete(oldest);
    noted.delete(what);
    noted.set(what, now());
    return true;
  }

  /** A failure must not fail the request; the next request tries again. */
  function beside(what: string, write: Promise<void>): void {
    void write.catch(() => noted.delete(what));
  }

  return {
    used({ kind, id, organizationId }, origin) {
      if (typeof origin.address !== 'string') return;
      const address = addressKey(origin.address);
      const use = `${id} ${address}`;
      if (!isNew(use)) return;
      const actor = { ...origin, kind, id };
      beside(use, keyUse.note({ kind, id, organizationId, address, actor, name: NAMES[kind] }));
    },
    refused({ kind, id, organizationId }, origin, reason) {
      const address = addressKey(origin.address ?? '');
      const refusal = `${id} ${address} ${reason}`;
      if (!isNew(refusal)) return;
      beside(
        refusal,
        audit.record({
          actor: { ...origin, kind: 'system', id: 'authentication' },
          organizationId,
          act: `${NAMES[kind]}.refuse`,
          target: id,
          details: { reason },
        }),
      );
    },
  };
}
