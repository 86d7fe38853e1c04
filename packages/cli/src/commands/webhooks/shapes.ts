import type {
  AcceptedReplay,
  CreatedWebhook,
  DeletedWebhook,
  Delivery,
  Webhook,
} from '@changgu/sdk';
import { fieldsOf, type Shape } from '../../output/shape.ts';
import type { ForwardedEvent } from './forward-event.ts';

const NAMES = [
  'webhook_id',
  'url',
  'event_types',
  'env_scope',
  'description',
  'status',
  'disabled_reason',
  'disabled_at',
  'failing_since',
  'public_key',
  'previous_secret_expires_at',
  'created_at',
] as const;

export const WEBHOOK: Shape = {
  fields: fieldsOf<Webhook>()(NAMES),
  columns: ['webhook_id', 'status', 'env_scope', 'url', 'event_types'],
  id: 'webhook_id',
  whole: ['status'],
};

export const WITH_SECRET: Shape = {
  fields: fieldsOf<CreatedWebhook>()([...NAMES, 'secret']),
  columns: ['webhook_id', 'secret'],
  id: 'webhook_id',
  keep: ['secret'],
};

export const DELETED: Shape = {
  fields: fieldsOf<DeletedWebhook>()(['webhook_id', 'status']),
  columns: ['webhook_id', 'status'],
  id: 'webhook_id',
};

export const DELIVERY: Shape = {
  fields: fieldsOf<Delivery>()([
    'delivery_id',
    'webhook_id',
    'event_id',
    'event_type',
    'kind',
    'status',
    'attempts',
    'created_at',
    'last_attempt_at',
    'next_attempt_at',
    'duration_ms',
    'response_status',
    'response_body',
    'error',
  ]),
  columns: ['created_at', 'event_type', 'status', 'attempts', 'response_status', 'delivery_id'],
  id: 'delivery_id',
  whole: ['status'],
};

export const REPLAY: Shape = {
  fields: fieldsOf<AcceptedReplay>()(['webhook_id', 'from', 'to', 'status']),
  columns: ['webhook_id', 'status', 'from', 'to'],
  id: 'webhook_id',
};

/** Of `listen`, the first line as JSON. */
export const LISTENING: Shape = {
  fields: ['forward', 'secret', 'public_key'],
  columns: ['forward', 'secret', 'public_key'],
  id: 'forward',
};

export const FORWARDED: Shape = {
  fields: fieldsOf<ForwardedEvent>()([
    'event_id',
    'event_type',
    'status',
    'duration_ms',
    'response_status',
    'response_body',
    'error',
  ]),
  columns: ['event_type', 'status', 'response_status', 'error', 'duration_ms', 'event_id'],
  id: 'event_id',
};
