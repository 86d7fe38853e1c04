import { jobResourceOf, jobUri } from '@changgu/sdk/catalogue';
import {
  InMemoryServerEventBus,
  type Server,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import type { Bridge } from '../bridge.ts';

type Watched = Pick<Bridge, 'offering' | 'news'>;

/** What changes, for hosts that listen by a request of their own (2026-07-28 over HTTP). */
export function changeBus({ offering, news }: Watched): ServerEventBus {
  const bus = new InMemoryServerEventBus();
  return {
    publish: (event) => bus.publish(event),
    subscribe(listener) {
      const leavings = [
        bus.subscribe(listener),
        offering.onChange(() => listener({ kind: 'tools_list_changed' })),
        news.subscribe((jobId) => listener({ kind: 'resource_updated', uri: jobUri(jobId) })),
      ];
      return () => {
        for (const leave of leavings) leave();
      };
    },
  };
}

/** Tells a host with a connection of its own. */
export interface ConnectionChanges {
  /** Follows all jobs: which of them the host asked about, the connection knows. */
  listen(): void;
  watch(uri: string): void;
  unwatch(uri: string): void;
}

/** Serves a host with a connection: changes of the tools it is told anyway, those of jobs where it subscribes. */
export function serveSubscriptions(server: Server, bridge: Watched): ConnectionChanges {
  const changes = changesOn(server, bridge);
  server.setRequestHandler('resources/subscribe', ({ params }) => {
    changes.watch(params.uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    changes.unwatch(params.uri);
    return {};
  });
  return changes;
}

function changesOn(server: Server, { offering, news }: Watched): ConnectionChanges {
  const watched = new Set<string>();
  let all = false;
  let leaveNews: (() => void) | null = null;
  const quietly = (sending: Promise<void>) => void sending.catch(() => undefined);
  const leaveOffering = offering.onChange(() => quietly(server.sendToolListChanged()));

  function tell(jobId: string): void {
    const uri = jobUri(jobId);
    if (all || watched.has(uri)) quietly(server.sendResourceUpdated({ uri }));
  }
  function follow(): void {
    leaveNews ??= news.subscribe(tell);
  }
  const close = server.onclose;
  server.onclose = () => {
    leaveOffering();
    leaveNews?.();
    close?.();
  };
  return {
    listen() {
      all = true;
      follow();
    },
    watch(uri) {
      if (jobResourceOf(uri) === null) return;
      watched.add(uri);
      follow();
    },
    unwatch(uri) {
      watched.delete(uri);
      if (all || watched.size > 0) return;
      leaveNews?.();
      leaveNews = null;
    },
  };
}
