import type { Changgu, Clock } from '@changgu/sdk';
import type { CatalogueAction } from '@changgu/sdk/catalogue';

/** The rights of this bridge's client key. */
export interface KeyRights {
  readonly readOnly: boolean;
  /** Patterns of action ids, `bank_b.*`; null for every action. */
  readonly allowedActions: readonly string[] | null;
  /** Whether agents may run irreversible actions. */
  readonly mayRunIrreversible: boolean;
}

export interface KeyRightsSource {
  /** @throws what the SDK's `membership.me` throws */
  read(): Promise<KeyRights>;
}

const KEPT_MS = 60_000;

/** If the service says nothing about the key, it may not run irreversible actions. */
export function keyRightsOf(client: Changgu, clock: Clock): KeyRightsSource {
  let known: { readonly rights: KeyRights; readonly at: number } | null = null;
  return {
    async read() {
      const now = clock.now();
      if (known && now - known.at < KEPT_MS) return known.rights;
      const { key } = await client.membership.me({ totalTimeoutMs: 8_000 });
      const rights = {
        readOnly: key?.readOnly ?? false,
        allowedActions: key?.allowedActions ?? null,
        mayRunIrreversible: key?.allowIrreversibleTools ?? false,
      };
      known = { rights, at: now };
      return rights;
    },
  };
}

/** Whether the key may run this action for an agent. */
export function mayRun(
  { readOnly, allowedActions, mayRunIrreversible }: KeyRights,
  { id, irreversible }: Pick<CatalogueAction, 'id' | 'irreversible'>,
): boolean {
  if (irreversible && (readOnly || !mayRunIrreversible)) return false;
  return allowedActions === null || covers(allowedActions, id);
}

/** Whether one of these patterns, `bank_b.*`, matches the action. */
export function covers(patterns: readonly string[], id: string): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern,
  );
}
