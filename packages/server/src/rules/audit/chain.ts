import { hash } from 'node:crypto';

/** What an audit row's seal covers: every column. */
export interface SealedAct {
  readonly id: number;
  readonly at: number;
  readonly actor_kind: string;
  readonly actor_id: string;
  readonly organization_id: number | null;
  readonly act: string;
  readonly target: string | null;
  /** JSON as stored. */
  readonly details: string;
  readonly trace_id: string | null;
  readonly address: string | null;
  readonly user_agent: string | null;
}

/** The last link of a chain. */
export interface ChainHead {
  readonly number: number;
  readonly hash: string;
}

export const EMPTY_CHAIN: ChainHead = { number: 0, hash: '' };

/** Acts without an organization form their own chain. */
export function chainScope({ organization_id: id }: Pick<SealedAct, 'organization_id'>): string {
  return id === null ? 'service' : String(id);
}

/** The link after `head`: valid only for this row at this position after this history. */
export function nextLink(head: ChainHead, act: SealedAct): ChainHead {
  const number = head.number + 1;
  const sealed = [
    head.hash,
    number,
    act.id,
    act.at,
    act.actor_kind,
    act.actor_id,
    act.organization_id,
    act.act,
    act.target,
    act.details,
    act.trace_id,
    act.address,
    act.user_agent,
  ];
  return { number, hash: hash('sha256', JSON.stringify(sealed)) };
}
