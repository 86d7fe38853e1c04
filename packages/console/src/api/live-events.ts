import type { EventRecord, EventType } from '@changgu/contract';
import { serviceUrl } from '../app/router.ts';

/** `live`: the stream is open. `offline`: it broke, and the browser will resume it. `refused`: there is no stream. */
export type StreamState = 'connecting' | 'live' | 'offline' | 'refused';

export interface LiveFilter {
  readonly type: readonly EventType[];
  readonly env_scope: string;
  readonly job_id?: string;
}

interface Listener {
  readonly onEvent: (event: EventRecord) => void;
  readonly onState: (state: StreamState) => void;
}

/**
 * Follows the organization's events with the page's session. After a break the browser resumes after the
 * last event that it received.
 * @returns how to stop
 */
export function followEvents(filter: LiveFilter, { onEvent, onState }: Listener): () => void {
  const url = serviceUrl('/v1/events');
  for (const [name, value] of Object.entries(filter)) {
    for (const each of [value].flat()) url.searchParams.append(name, each);
  }
  const source = new EventSource(url);
  const isBroken = () => source.readyState !== EventSource.OPEN;
  const announce = () => onState(isBroken() ? 'offline' : 'live');
  onState('connecting');
  source.onopen = announce;
  source.onerror = () => onState(source.readyState === EventSource.CLOSED ? 'refused' : 'offline');
  const lost = () => onState('offline');
  window.addEventListener('offline', lost);
  window.addEventListener('online', announce);
  for (const type of filter.type) {
    source.addEventListener(type, ({ data }) => onEvent(JSON.parse(data)));
  }
  return () => {
    source.close();
    window.removeEventListener('offline', lost);
    window.removeEventListener('online', announce);
  };
}
