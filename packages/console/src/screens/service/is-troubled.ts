import type { ServiceStateResponse } from '@changgu/contract';

type Institution = ServiceStateResponse['institutions'][number];

export function isTroubled({ state, maintenance, breaker }: Institution): boolean {
  return state !== 'HEALTHY' || maintenance || breaker.state !== 'CLOSED';
}
