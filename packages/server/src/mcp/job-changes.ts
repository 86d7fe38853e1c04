import { isJsonObject } from '@changgu/contract';
import { jobUri } from '@changgu/contract/catalogue';
import { InMemoryServerEventBus, type ServerEventBus } from '@modelcontextprotocol/server';
import { followFeed } from '../events/follow-feed.ts';
import type { createStreamPlaces } from '../events/stream-places.ts';
import { listJobs } from '../jobs/list.ts';
import { jobAccess } from '../requests/access.ts';
import { asServiceError } from '../requests/error-answer.ts';
import { eventAccess } from '../rules/events/event-access.ts';
import { principalKey } from '../rules/principals/principal.ts';
import type { Caller } from './caller.ts';
import type { McpDependencies } from './mcp-dependencies.ts';

/** Changes of jobs for one request of a caller that listens (`subscriptions/listen`). */
export interface JobChanges {
  readonly bus: ServerEventBus;
  /** Aborted when the caller may no longer listen. */
  readonly ended: AbortSignal;
  /** Gives back what was taken for a caller that did not come to listen. */
  settle(): void;
}

const RECENT_JOBS = 20;

type StreamPlaces = ReturnType<typeof createStreamPlaces>;

/**
 * As many may listen at once as may follow events, which is the same thing by another name.
 * @throws ServiceError RATE_LIMITED
 */
export function openJobChanges(
  { feed, store }: Pick<McpDependencies, 'feed' | 'store'>,
  places: StreamPlaces,
  caller: Caller,
): JobChanges {
  const { principal, envScope, onFailure } = caller;
  const giveBack = places.take(principalKey(principal));
  const bus = new InMemoryServerEventBus();
  const ended = new AbortController();
  let isHeard = false;
  const admits = eventAccess(principal, { env_scope: envScope });

  async function follow(publish: (uri: string) => void, signal: AbortSignal): Promise<void> {
    const { organizationId } = principal;
    const { stillAdmitted } = caller;
    const options = { organizationId, after: null, admits, stillAdmitted, signal };
    let isBegun = false;
    try {
      for await (const { events } of followFeed(feed, options)) {
        if (!isBegun) await tellRecent(publish);
        isBegun = true;
        for (const { jobId } of events) if (jobId !== null) publish(jobUri(jobId));
      }
    } catch (failure) {
      onFailure(asServiceError(failure));
    }
    ended.abort();
  }

  /** Changes made between the caller's request and the beginning were not announced. */
  async function tellRecent(publish: (uri: string) => void): Promise<void> {
    const { items } = await listJobs(store, jobAccess(principal, envScope), { limit: RECENT_JOBS });
    for (const { job_id: jobId } of items) publish(jobUri(jobId));
  }

  return {
    ended: ended.signal,
    bus: {
      publish: (event) => bus.publish(event),
      subscribe(listener) {
        isHeard = true;
        const left = new AbortController();
        const publish = (uri: string) => listener({ kind: 'resource_updated', uri });
        void follow(publish, left.signal);
        return () => {
          left.abort();
          giveBack();
        };
      },
    },
    settle() {
      if (!isHeard) giveBack();
    },
  };
}

/** Does this body ask to listen? Never within a batch, which is answered as a whole. */
export function isListening(body: unknown): boolean {
  return isJsonObject(body) && body.method === 'subscriptions/listen';
}
