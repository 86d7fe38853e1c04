import type { ClientPrincipal } from './principal.ts';

interface ActionFacts {
  readonly id: string;
  readonly irreversible: boolean;
}

type KeyRights = Pick<ClientPrincipal, 'readOnly' | 'allowedActions'>;

/** May this key run the action? `bank_b.*` covers all that begins with `bank_b.`. */
export function mayRunAction(key: KeyRights, action: ActionFacts): boolean {
  if (key.readOnly && action.irreversible) return false;
  return matchesAction(key.allowedActions, action.id);
}

/** Does one of the patterns match? Null matches every action. */
export function matchesAction(patterns: readonly string[] | null, action: string): boolean {
  return patterns?.some((pattern) => matches(pattern, action)) ?? true;
}

/** Could one of the patterns match an action of the institution? Their ids begin with its name. */
export function reachesProvider(patterns: readonly string[] | null, provider: string): boolean {
  return (
    patterns?.some((pattern) => ['*', provider].includes(pattern.split('.', 1)[0] ?? '')) ?? true
  );
}

/** May POST /mcp offer it? Irreversible ones only to keys issued for them. */
export function mayOfferTool(
  key: KeyRights & Pick<ClientPrincipal, 'allowIrreversibleTools'>,
  action: ActionFacts,
): boolean {
  return mayRunAction(key, action) && (!action.irreversible || key.allowIrreversibleTools);
}

function matches(pattern: string, action: string): boolean {
  return pattern.endsWith('*') ? action.startsWith(pattern.slice(0, -1)) : action === pattern;
}
