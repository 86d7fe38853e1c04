import { type Static, Type } from 'typebox';
import { EVENT_TYPES } from '../events.ts';
import { EnvScope, JobId, JsonObject, KstTime, nullable, oneOf, strict } from './vocabulary.ts';

export const EventId = Type.String({
  pattern: '^evt_[0-9A-HJKMNP-TV-Z]{26}$',
  description: 'evt_ and 26 characters; a later event has a greater id',
});

/** What has happened: ids, states, times and counts. */
export const EventRecord = Type.Object(
  {
    event_id: EventId,
    type: oneOf(EVENT_TYPES),
    env_scope: nullable(EnvScope),
    occurred_at: KstTime,
    subject: Type.Object(
      {
        job_id: Type.Optional(JobId),
        account_link_id: Type.Optional(Type.String()),
        bank_account_credential_id: Type.Optional(Type.String()),
        idempotency_key: Type.Optional(Type.String()),
        client_id: Type.Optional(Type.String()),
        legacy_api_key_id: Type.Optional(Type.String()),
        invoice_number: Type.Optional(Type.String()),
        user_id: Type.Optional(Type.Integer()),
        invitation_id: Type.Optional(Type.String()),
        webhook_id: Type.Optional(Type.String()),
      },
      { ...strict, description: 'What it is about' },
    ),
    data: JsonObject,
  },
  { $id: 'EventRecord', ...strict },
);
export type EventRecord = Static<typeof EventRecord>;

export const EventListResponse = Type.Object(
  {
    items: Type.Array(EventRecord, { description: 'Newest last' }),
    next_cursor: nullable(Type.String({ description: 'Null when there is nothing newer' })),
  },
  { $id: 'EventListResponse', ...strict },
);
export type EventListResponse = Static<typeof EventListResponse>;
