import type { ServerConfig } from '../config/server-config.ts';
import type { CoreDependencies } from '../core.ts';
import type { EventFeed } from '../events/event-feed.ts';
import type { DispatchOptions } from '../events/webhooks/dispatch.ts';
import { webhookAddresses } from '../events/webhooks/webhook-addresses.ts';
import { faultOf } from '../failures/fault.ts';
import type { Logger } from '../logging/logger.ts';
import type { PostOffice } from '../mail/post-office.ts';
import type { WebhookUrlPolicy } from '../rules/webhooks/webhook-url.ts';
import { realTimers } from '../timers.ts';

/** Signals that were lost are made up for after this, by one small query. */
const FLOOR_MS = 60_000;
const PAUSE_MS = 250;

export interface WebhookParts {
  readonly config: ServerConfig;
  readonly core: CoreDependencies;
  readonly feed: EventFeed;
  readonly postOffice: PostOffice;
  readonly logger: Logger;
}

/** `dev` is for trying it out: with a receiver on the same machine. */
function addressesOf({ mode, webhookNetworks = [] }: ServerConfig) {
  return webhookAddresses({ privateNetworks: webhookNetworks, loopback: mode === 'dev' });
}

export function webhookUrlPolicy(config: ServerConfig): WebhookUrlPolicy {
  const { isAllowedHost } = addressesOf(config);
  return { isAllowedHost, httpOnLoopback: config.mode === 'dev' };
}

/**
 * Delivers to endpoints from the moment on at which there is one. Before that nothing is loaded, and one
 * small query a minute is all that runs. Answers how to stop.
 */
export function startWebhooks(parts: WebhookParts): () => Promise<void> {
  const { store } = parts.core;
  let starting: Promise<() => Promise<void>> | undefined;
  let cancel = () => {};
  let stopped = false;

  async function look(): Promise<void> {
    if (stopped) return;
    try {
      const enabled = await store.webhookCouriers.enabled();
      if (enabled.length > 0) return begin();
    } catch (error) {
      parts.logger.warn({ fault: faultOf(error) }, 'webhooks could not be looked for');
    }
    if (!stopped) lookIn(FLOOR_MS);
  }

  function begin(): void {
    if (stopped) return;
    stopListening();
    starting ??= dispatch(parts);
    starting.catch((error: unknown) =>
      parts.logger.error({ fault: faultOf(error) }, 'webhooks are not sent'),
    );
  }

  function lookIn(ms: number): void {
    cancel();
    cancel = realTimers.after(ms, () => void look());
  }

  const stopListening = store.onSignal(({ kind }) => {
    if (kind === 'webhook') lookIn(0);
    else if (kind === 'changed') lookIn(PAUSE_MS);
  });
  const first = look();
  return async () => {
    stopped = true;
    stopListening();
    await first;
    cancel();
    await (await starting?.catch(() => undefined))?.();
  };
}

async function dispatch(parts: WebhookParts): Promise<() => Promise<void>> {
  const { config, core, feed, postOffice, logger } = parts;
  const { store, vault, clock } = core;
  // For those who have an endpoint.
  const [{ startDispatch }, { createWebhookHttp }, { disableWebhook }, keys] = await Promise.all([
    import('../events/webhooks/dispatch.ts'),
    import('../events/webhooks/webhook-http.ts'),
    import('../events/webhooks/disable-webhook.ts'),
    import('../events/webhooks/webhook-keys.ts'),
  ]);
  const http = createWebhookHttp({ addresses: addressesOf(config) });
  const options: DispatchOptions = {
    store,
    feed,
    http,
    openSigner: async (webhook) =>
      keys.createWebhookSigner(
        await keys.openWebhookKeys(vault, webhook, webhook.keys),
        clock.realNow,
      ),
    disable: (webhook, reason) => disableWebhook({ store, postOffice }, webhook, reason),
    leaseMs: config.leaseSeconds * 1_000,
    shutdownMs: config.shutdownSeconds * 1_000,
    timers: realTimers,
    realNow: clock.realNow,
    random: Math.random,
    log: logger,
  };
  const stop = startDispatch(options);
  return async () => {
    await stop();
    await http.close();
  };
}
