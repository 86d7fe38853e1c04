import type { ClientPrincipal } from './principal.ts';

interface ActionFacts {
  readonly id: string;
  readonly irreversible: boolean;
}

type KeyRights = Pick<ClientPrincipal, 'readOnly' | 'allowedActions'>;

/** Whether this key may run the action. `bank_b.*` matches everything that begins with `bank_b.`. */
export function mayRunAction(key: KeyRights, action: ActionFacts): boolean {
  if (key.readOnly && action.irreversible) return false;
  return matchesAction(key.allowedActions, action.id);
}

/** Whether one of the patterns matches. Null matches every action. */
export function matchesAction(patterns: readonly string[] | null, action: string): boolean {
  return patterns?.some((pattern) => matches(pattern, action)) ?? true;
}

/** Whether one of the patterns could match an action of the institution, whose ids begin with its name. */
export function reachesProvider(patterns: readonly string[] | null, provider: string): boolean {
  return (
    patterns?.some((pattern) => ['*', provider].includes(pattern.split('.', 1)[0] ?? '')) ?? true
  );
}

/** Whether the patterns leave nothing out. */
export function matchesEverything(patterns: readonly string[] | null): boolean {
  return patterns === null || patterns.includes('*');
}

/** Whether POST /mcp may offer it. Irreversible actions only to keys issued for them. */
export function mayOfferTool(
  key: KeyRights & Pick<ClientPrincipal, 'allowIrreversibleTools'>,
  action: ActionFacts,
): boolean {
  return mayRunAction(key, action) && (!action.irreversible || key.allowIrreversibleTools);
}

function matches(pattern: string, action: string): boolean {
  return pattern.endsWith('*') ? action.startsWith(pattern.slice(0, -1)) : action === pattern;
}
