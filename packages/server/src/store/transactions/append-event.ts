import type { EnvScope, EventType } from '@changgu/contract';
import type { Transaction } from './script.ts';

/** What has become true. Ids, states, times and counts only: it leaves the service for whoever listens. */
export interface NewEvent {
  readonly organizationId: number;
  /** Null where it is of no environment. */
  readonly envScope: EnvScope | null;
  readonly type: EventType;
  readonly jobId?: string;
  readonly accountLinkId?: string;
  /** Further ids of what it is about. */
  readonly subject?: Readonly<Record<string, string | number>>;
  readonly data?: Readonly<Record<string, string | number | boolean | null>>;
  /** Business time in milliseconds; now where it is not said. */
  readonly at?: number;
}

/** Tells an organization what the caller's transaction makes true: both happen, or neither. */
export async function appendEvent(tx: Transaction, ...events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.db
    .insertInto('events')
    .values(
      events.map((event) => ({
        organization_id: event.organizationId,
        env_scope: event.envScope,
        type: event.type,
        job_id: event.jobId ?? null,
        account_link_id: event.accountLinkId ?? null,
        subject: event.subject ? JSON.stringify(event.subject) : null,
        data: JSON.stringify(event.data ?? {}),
        at: event.at ?? tx.clock,
      })),
    )
    .execute();
  signalEvents(tx, events);
}

/** Wakes whoever reads the events of these organizations. */
export function signalEvents(
  tx: Transaction,
  events: readonly { readonly organizationId: number }[],
): void {
  for (const organizationId of new Set(events.map((event) => event.organizationId))) {
    tx.signal({ kind: 'event', organizationId });
  }
}
