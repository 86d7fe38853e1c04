import { Type } from 'typebox';
import { defineOperation } from '../define-operation.ts';
import { EVENT_TYPES } from '../events.ts';
import { EventListResponse } from '../schemas/event.ts';
import { JobPath } from '../schemas/job.ts';
import { pageLimit } from '../schemas/paging.ts';
import { EnvScope, oneOf, strict } from '../schemas/vocabulary.ts';

export const listEvents = defineOperation({
  id: 'listEvents',
  method: 'GET',
  path: '/v1/events',
  tag: 'events',
  summary: 'List or follow what has happened',
  description:
    'Events of the organization, newest last: of the environments of the key, those of links for an OAuth token only with `links:read`, and for members of the console of all; members, keys and invoices only for its administrators. With `Accept: text/event-stream` the answer is a stream that continues with what happens next. It begins after `Last-Event-ID` or `after`, and without either with what happens from now on. With filters, a page may be shorter than `limit` or even empty although more follow: continue until `next_cursor` is null. `job.input_required` is reserved: no job waits for a person yet.',
  may: { client: true, console_user: 'MEMBER' },
  scope: 'jobs:read',
  environment: 'none',
  requestHeaders: {
    'Last-Event-ID': 'Streams: the last event that was received; wins over `after`',
  },
  query: Type.Object(
    {
      after: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'A `next_cursor` or an `event_id`: what came after it',
        }),
      ),
      type: Type.Optional(Type.Array(oneOf(EVENT_TYPES))),
      env_scope: Type.Optional(EnvScope),
      job_id: Type.Optional(JobPath.properties.job_id),
      account_link_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      limit: pageLimit,
    },
    strict,
  ),
  responses: {
    200: {
      description: 'One page, or the stream',
      schema: EventListResponse,
      streamType: 'text/event-stream',
    },
  },
  errors: ['POLICY_ENV_NOT_ALLOWED'],
  addition: true,
});
