import { type Static, Type } from 'typebox';
import { EVENT_TYPES, type EventType } from '../events.ts';
import { LIMITS } from '../limits.ts';
import {
  DELIVERY_ERRORS,
  DELIVERY_KINDS,
  DELIVERY_STATUSES,
  WEBHOOK_DISABLED_REASONS,
  WEBHOOK_STATUSES,
} from '../webhooks.ts';
import { EventId } from './event.ts';
import { EnvScope, KstTime, nullable, oneOf, strict } from './vocabulary.ts';

const WebhookId = Type.String({
  pattern: '^whk_[0-9A-HJKMNP-TV-Z]{26}$',
  description: 'whk_ and a ULID',
});

const Url = Type.String({
  minLength: 1,
  maxLength: LIMITS.webhookUrlLength,
  description: 'https, without user, password or fragment; http only to loopback in development',
});

/** A test goes to the endpoint that it was asked for, and to no other. */
const SUBSCRIBABLE = EVENT_TYPES.filter(
  (type): type is Exclude<EventType, 'webhook.test'> => type !== 'webhook.test',
);

const EventTypes = Type.Array(oneOf(SUBSCRIBABLE), { minItems: 1, uniqueItems: true });

const Description = nullable(Type.String({ maxLength: 200 }));

export const WebhookCreateRequest = Type.Object(
  {
    url: Url,
    event_types: EventTypes,
    env_scope: EnvScope,
    description: Type.Optional(Description),
  },
  { $id: 'WebhookCreateRequest', ...strict },
);
export type WebhookCreateRequest = Static<typeof WebhookCreateRequest>;

export const WebhookUpdateRequest = Type.Object(
  {
    url: Type.Optional(Url),
    event_types: Type.Optional(EventTypes),
    description: Type.Optional(Description),
    status: Type.Optional(
      oneOf(WEBHOOK_STATUSES, {
        description: 'Enabled again, an endpoint is told of what happens from then on',
      }),
    ),
  },
  { $id: 'WebhookUpdateRequest', minProperties: 1, ...strict },
);
export type WebhookUpdateRequest = Static<typeof WebhookUpdateRequest>;

const shown = {
  webhook_id: WebhookId,
  url: Type.String(),
  event_types: Type.Array(oneOf(SUBSCRIBABLE)),
  env_scope: EnvScope,
  description: nullable(Type.String()),
  status: oneOf(WEBHOOK_STATUSES),
  disabled_reason: nullable(
    oneOf(WEBHOOK_DISABLED_REASONS, {
      description: '`gone`: it answered 410; `failing`: every attempt of five days failed',
    }),
  ),
  disabled_at: nullable(KstTime),
  failing_since: nullable(
    Type.String({ ...KstTime, description: 'The first failure since the last success' }),
  ),
  public_key: Type.String({
    pattern: '^whpk_[A-Za-z0-9+/]{43}=$',
    description: 'Verifies the `v1a` signatures (ed25519)',
  }),
  previous_secret_expires_at: nullable(
    Type.String({
      ...KstTime,
      description: 'Until when the keys before the last rotation sign too',
    }),
  ),
  created_at: KstTime,
};

const secret = {
  secret: Type.String({
    pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
    description: 'Verifies the `v1` signatures (HMAC-SHA256); shown only once',
  }),
};

export const WebhookRecord = Type.Object(shown, { $id: 'WebhookRecord', ...strict });
export type WebhookRecord = Static<typeof WebhookRecord>;

export const WebhookCreateResponse = Type.Object(
  { ...shown, ...secret },
  { $id: 'WebhookCreateResponse', ...strict },
);
export type WebhookCreateResponse = Static<typeof WebhookCreateResponse>;

export const WebhookListResponse = Type.Object(
  { items: Type.Array(WebhookRecord) },
  { $id: 'WebhookListResponse', ...strict },
);
export type WebhookListResponse = Static<typeof WebhookListResponse>;

export const WebhookDeleteResponse = Type.Object(
  { webhook_id: WebhookId, status: Type.Literal('DELETED') },
  { $id: 'WebhookDeleteResponse', ...strict },
);
export type WebhookDeleteResponse = Static<typeof WebhookDeleteResponse>;

export const WebhookRotateRequest = Type.Object(
  {
    overlap_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 168,
        default: 24,
        description: 'How long the old keys sign too',
      }),
    ),
  },
  { $id: 'WebhookRotateRequest', ...strict },
);
export type WebhookRotateRequest = Static<typeof WebhookRotateRequest>;

export const WebhookRotateResponse = Type.Object(
  { ...shown, ...secret },
  { $id: 'WebhookRotateResponse', ...strict },
);
export type WebhookRotateResponse = Static<typeof WebhookRotateResponse>;

export const WebhookDelivery = Type.Object(
  {
    delivery_id: Type.String({ pattern: '^whd_[0-9A-HJKMNP-TV-Z]{26}$' }),
    webhook_id: WebhookId,
    event_id: Type.String({ ...EventId, description: 'Sent as `webhook-id`' }),
    event_type: Type.String(),
    kind: oneOf(DELIVERY_KINDS, { description: 'Tests and replays are one attempt each' }),
    status: oneOf(DELIVERY_STATUSES),
    attempts: Type.Integer({ minimum: 0 }),
    created_at: KstTime,
    last_attempt_at: nullable(KstTime),
    next_attempt_at: nullable(KstTime),
    duration_ms: nullable(Type.Integer({ minimum: 0, description: 'Of the last attempt' })),
    response_status: nullable(Type.Integer()),
    response_body: nullable(
      Type.String({ description: 'The first kilobyte of the last answer, as text' }),
    ),
    error: nullable(oneOf(DELIVERY_ERRORS, { description: 'Why the last attempt failed' })),
  },
  { $id: 'WebhookDelivery', ...strict },
);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const WebhookDeliveryListResponse = Type.Object(
  { items: Type.Array(WebhookDelivery), next_cursor: nullable(Type.String()) },
  { $id: 'WebhookDeliveryListResponse', ...strict },
);
export type WebhookDeliveryListResponse = Static<typeof WebhookDeliveryListResponse>;

export const WebhookReplayRequest = Type.Object(
  {
    from: Type.String({
      format: 'date-time',
      description: 'Events that occurred at this time or later',
    }),
    to: Type.String({ format: 'date-time', description: 'Events that occurred before this time' }),
  },
  { $id: 'WebhookReplayRequest', ...strict },
);
export type WebhookReplayRequest = Static<typeof WebhookReplayRequest>;

export const WebhookReplayResponse = Type.Object(
  { webhook_id: WebhookId, from: KstTime, to: KstTime, status: Type.Literal('ACCEPTED') },
  { $id: 'WebhookReplayResponse', ...strict },
);
export type WebhookReplayResponse = Static<typeof WebhookReplayResponse>;
