import type { EventRecord } from '@changgu/contract/schemas';
import { kstTime } from '../rules/kst.ts';
import type { StoredEvent } from '../store/events/event-scripts.ts';
import { eventId } from './event-id.ts';

/** An event in its public form. */
export function eventView(event: StoredEvent): EventRecord {
  const view = {
    event_id: eventId(event),
    type: event.type,
    env_scope: event.envScope,
    occurred_at: kstTime(event.at),
    subject: {
      ...(event.jobId === null ? {} : { job_id: event.jobId }),
      ...(event.accountLinkId === null ? {} : { account_link_id: event.accountLinkId }),
      ...event.subject,
    },
    data: event.data,
  };
  // The type of the event and its data were checked against each other when it was written.
  return view as EventRecord;
}
