import type {
  DeliveryError,
  DeliveryKind,
  DeliveryStatus,
  EnvScope,
  EventType,
  WebhookDisabledReason,
} from '@changgu/contract';
import type { Generated } from 'kysely';

export interface WebhookTables {
  /** Webhook endpoints. One process at a time delivers to each: `owner`, until `wake_at`. */
  webhooks: {
    id: string;
    organization_id: number;
    url: string;
    /** JSON. */
    event_types: string;
    env_scope: EnvScope;
    description: string | null;
    status: 'ENABLED' | 'DISABLED';
    disabled_reason: WebhookDisabledReason | null;
    disabled_at: number | null;
    /** Sealed: secrets and private keys, including previous ones that are still valid. */
    keys: Uint8Array;
    /** Grows with each rotation. */
    key_version: Generated<number>;
    public_key: string;
    previous_keys_until: number | null;
    /** The first failure since the last success, in real time. */
    failing_since: number | null;
    created_at: number;
    created_by: string;
    /** The position in the sequence of events up to which deliveries exist. */
    tx: number;
    seq: number;
    /** A range being replayed: the position, its end, and its times; null when there is none. */
    replay_tx: number | null;
    replay_seq: number | null;
    replay_end_tx: number | null;
    replay_end_seq: number | null;
    replay_from: number | null;
    replay_to: number | null;
    owner: string | null;
    /** In real time: with an owner, the end of its lease; without one, when something is due. Null: nothing is due. */
    wake_at: number | null;
  };
  /** One event for one endpoint, in real time except for the event's own times. */
  webhook_deliveries: {
    seq: Generated<number>;
    webhook_id: string;
    kind: DeliveryKind;
    event_tx: number;
    event_seq: number;
    event_type: EventType;
    status: DeliveryStatus;
    attempts: Generated<number>;
    created_at: number;
    last_attempt_at: number | null;
    /** Null once it has ended. */
    next_attempt_at: number | null;
    duration_ms: number | null;
    response_status: number | null;
    response_body: string | null;
    error: DeliveryError | null;
  };
}
