import type { EnvScope } from '@changgu/contract';

/** Sandbox jobs and real ones have separate slots. */
export type Pool = 'real' | 'sandbox';

export function poolOf(envScope: EnvScope): Pool {
  return envScope === 'sandbox' ? 'sandbox' : 'real';
}
