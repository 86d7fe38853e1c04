import type { EnvScope, OAuthScope } from '@changgu/contract';

/** Of what a client asks for, what a person agrees to who chooses nothing: nothing irreversible. */
export function preselectedScopes(asked: readonly OAuthScope[]): OAuthScope[] {
  return asked.filter((scope) => scope !== 'jobs:irreversible');
}

export const PRESELECTED_ENV_SCOPE: EnvScope = 'sandbox';
