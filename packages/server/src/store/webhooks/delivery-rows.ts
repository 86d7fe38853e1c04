import type { DeliveryError, DeliveryKind, DeliveryStatus, EventType } from '@changgu/contract';
import type { Selectable } from 'kysely';
import type { Database } from '../schema/tables.ts';

/** One event for one endpoint, as the log shows it. */
export interface Delivery {
  readonly seq: number;
  readonly webhookId: string;
  readonly kind: DeliveryKind;
  readonly event: { readonly tx: number; readonly seq: number; readonly type: EventType };
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly createdAt: number;
  readonly lastAttemptAt: number | null;
  readonly nextAttemptAt: number | null;
  readonly durationMs: number | null;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: DeliveryError | null;
}

export const DELIVERY_COLUMNS = [
  'seq',
  'webhook_id',
  'kind',
  'event_tx',
  'event_seq',
  'event_type',
  'status',
  'attempts',
  'created_at',
  'last_attempt_at',
  'next_attempt_at',
  'duration_ms',
  'response_status',
  'response_body',
  'error',
] as const;

type Row = Pick<Selectable<Database['webhook_deliveries']>, (typeof DELIVERY_COLUMNS)[number]>;

export function deliveryOf(row: Row): Delivery {
  return {
    seq: row.seq,
    webhookId: row.webhook_id,
    kind: row.kind,
    event: { tx: row.event_tx, seq: row.event_seq, type: row.event_type },
    status: row.status,
    attempts: row.attempts,
    createdAt: row.created_at,
    lastAttemptAt: row.last_attempt_at,
    nextAttemptAt: row.next_attempt_at,
    durationMs: row.duration_ms,
    responseStatus: row.response_status,
    responseBody: row.response_body,
    error: row.error,
  };
}
