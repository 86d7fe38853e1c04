import { operations } from '@changgu/contract/schemas';
import type { EventFeed } from '../../events/event-feed.ts';
import { eventPosition } from '../../events/event-id.ts';
import { eventStream } from '../../events/event-stream.ts';
import { listEvents } from '../../events/list-events.ts';
import { createStreamPlaces } from '../../events/stream-places.ts';
import { eventAccess } from '../../rules/events/event-access.ts';
import { principalKey } from '../../rules/principals/principal.ts';
import type { HttpApp } from '../app.ts';
import { type OperationRequest, route } from '../route.ts';

const STREAM_HEADERS = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

type EventsRequest = OperationRequest<typeof operations.events.listEvents>;

/** GET /v1/events, as a page and as a stream. */
export function eventRoutes(app: HttpApp, feed: EventFeed): void {
  const places = createStreamPlaces();

  route(app, operations.events.listEvents, async (request) => {
    const { principal, query, headers } = request;
    const { organizationId } = principal;
    const admits = eventAccess(principal, query);
    const after = placeOf(request);
    if (!wantsStream(headers.accept)) {
      const { limit } = query;
      const page = { organizationId, after, admits, ...(limit === undefined ? {} : { limit }) };
      return { status: 200, body: await listEvents(feed, page) };
    }
    const { signal, stillAdmitted } = request;
    const leave = places.take(principalKey(principal));
    const options = { organizationId, after, admits, signal, stillAdmitted };
    const stream = eventStream(feed, options).once('close', leave);
    return { status: 200, body: stream, headers: STREAM_HEADERS };
  });
}

function placeOf({ query, headers }: EventsRequest) {
  const last = headers['last-event-id'];
  if (typeof last === 'string' && last !== '') {
    return eventPosition(last, ['header', 'Last-Event-ID']);
  }
  return query.after === undefined ? null : eventPosition(query.after, ['query', 'after']);
}

function wantsStream(accept: string | undefined): boolean {
  return accept?.toLowerCase().includes('text/event-stream') ?? false;
}
