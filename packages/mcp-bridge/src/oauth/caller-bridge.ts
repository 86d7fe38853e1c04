import type { Bridge } from '../bridge.ts';
import { narrowedTo } from '../offering.ts';
import { Confirmations } from '../run/confirmations.ts';
import { covers, type KeyRights } from '../run/key-rights.ts';
import type { CallerToken } from './caller-token.ts';

/** What belongs to a single caller. All tokens of one approval are the same caller. */
export function callerKey({ clientId, scopes, extra }: CallerToken): string {
  return JSON.stringify([clientId, extra?.subject, scopes.toSorted(), extra?.allowedActions]);
}

/**
 * The bridge as one caller sees it: limited to what both the key and the token allow, with keys and confirmations
 * of its own.
 */
export function bridgeOf(bridge: Bridge, caller: CallerToken): Bridge {
  const { clock } = bridge;
  const allowedActions = actionsOf(caller);
  const mayRunIrreversible = caller.scopes.includes('jobs:irreversible');
  const isAllowed = (id: string) => allowedActions === null || covers(allowedActions, id);
  const { clientId, extra } = caller;
  const keys = bridge.keys.of(JSON.stringify([clientId, extra?.subject]));
  return {
    ...bridge,
    keys,
    confirmations: new Confirmations(() => clock.now()),
    offering: narrowedTo(isAllowed, bridge.offering),
    sees: isAllowed,
    mayReadLinks: caller.scopes.includes('links:read'),
    rights: {
      async read(): Promise<KeyRights> {
        const key = await bridge.rights.read();
        return {
          readOnly: key.readOnly || !mayRunIrreversible,
          // The list of services is already narrowed; the service refuses what the key may not do.
          allowedActions: key.allowedActions,
          mayRunIrreversible: key.mayRunIrreversible && mayRunIrreversible,
        };
      },
    },
  };
}

function actionsOf({ extra }: CallerToken): readonly string[] | null {
  const actions = extra?.allowedActions;
  return Array.isArray(actions) ? actions.map(String) : null;
}
