import { randomUUID } from 'node:crypto';
import { faultOf } from '../../failures/fault.ts';
import type { Store } from '../../store/database.ts';
import type { Signal } from '../../store/transactions/script.ts';
import type { HeldWebhook } from '../../store/webhooks/courier-rows.ts';
import { type Bell, createBell } from '../../waiting/bell.ts';
import { type Courier, startCourier } from './courier.ts';
import type { CourierDependencies } from './courier-dependencies.ts';
import { createOutcomeWriter } from './outcome-writer.ts';
import { createPlaces } from './places.ts';

/** Concurrent requests of this process. */
const MAX_IN_FLIGHT = 512;
/** Endpoints that one process delivers to at the same time. */
const MAX_HELD = 1_000;
const CLAIMED_AT_ONCE = 100;
/** How soon lost signals are made up for. */
const FLOOR_MS = 60_000;
/** How often other processes' writes are checked. */
const CHANGED_PAUSE_MS = 250;
const AFTER_FAILURE_MS = 1_000;

export interface DispatchOptions
  extends Omit<CourierDependencies, 'owner' | 'store' | 'writer' | 'places'> {
  readonly store: Pick<Store, 'webhookCouriers' | 'onSignal'>;
  readonly leaseMs: number;
  /** How long requests in progress may take when the process stops. */
  readonly shutdownMs: number;
}

/** Delivers events to endpoints: claims endpoints with something to send and runs a courier for each. */
export function startDispatch(options: DispatchOptions): () => Promise<void> {
  const bell = createBell(options.timers);
  const work = new DispatchWork(options, bell);
  const stopListening = options.store.onSignal((signal) => work.hear(signal));
  const running = work.run();
  return async () => {
    stopListening();
    work.stopped = true;
    bell.ring();
    await running;
    await work.stopCouriers();
  };
}

class DispatchWork {
  stopped = false;
  readonly #options: DispatchOptions;
  readonly #bell: Bell;
  /** The newest of each endpoint. */
  readonly #couriers = new Map<string, Courier>();
  /** Includes those that have a successor, and still wait for answers. */
  readonly #running = new Set<Courier>();
  readonly #parts: Omit<CourierDependencies, 'owner'>;
  /** Enabled endpoints, by organization. */
  #enabled = new Map<number, number>();
  #wanted = new Set<number>();
  /** Check everything: endpoints have changed, or signals may have been missed. */
  #everywhere = true;
  #lookedEverywhere: number;
  #renewed: number;
  #changedTimer: (() => void) | undefined;

  constructor(options: DispatchOptions, bell: Bell) {
    this.#options = options;
    this.#bell = bell;
    this.#renewed = options.timers.monotonic();
    this.#lookedEverywhere = this.#renewed;
    this.#parts = {
      ...options,
      writer: createOutcomeWriter(options.store),
      places: createPlaces(MAX_IN_FLIGHT),
    };
  }

  hear(signal: Signal): void {
    if (signal.kind === 'event') this.#want(signal.organizationId);
    else if (signal.kind === 'webhook') {
      for (const courier of this.#couriers.values()) {
        if (courier.organizationId === signal.organizationId) courier.look();
      }
      this.#renewed = Number.NEGATIVE_INFINITY;
      this.#lookEverywhere();
    } else if (signal.kind === 'changed') {
      this.#changedTimer ??= this.#options.timers.after(CHANGED_PAUSE_MS, () => {
        this.#changedTimer = undefined;
        this.#lookEverywhere();
      });
    }
  }

  async run(): Promise<void> {
    const { log } = this.#options;
    while (!this.stopped) {
      try {
        await this.#bell.heard(await this.#round());
      } catch (error) {
        log.error({ fault: faultOf(error) }, 'webhooks wait for the database');
        this.#everywhere = true;
        await this.#bell.heard(AFTER_FAILURE_MS);
      }
    }
    this.#changedTimer?.();
  }

  async stopCouriers(): Promise<void> {
    const { shutdownMs } = this.#options;
    await Promise.all([...this.#running].map((courier) => courier.stop(shutdownMs)));
  }

  #lookEverywhere(): void {
    this.#everywhere = true;
    this.#bell.ring();
  }

  /** Unless a courier of this process handles it already. */
  #want(organizationId: number): void {
    const enabled = this.#enabled.get(organizationId) ?? 0;
    if (enabled === 0) return;
    const held = [...this.#couriers.values()].filter(
      (courier) => courier.organizationId === organizationId,
    ).length;
    if (held >= enabled) return;
    this.#wanted.add(organizationId);
    this.#bell.ring();
  }

  /** Returns how long there is nothing to do, unless something happens. */
  async #round(): Promise<number> {
    const { store, timers, leaseMs } = this.#options;
    const couriers = store.webhookCouriers;
    const begun = timers.monotonic();
    const everywhere = this.#everywhere || begun - this.#lookedEverywhere >= FLOOR_MS;
    this.#everywhere = false;
    const organizationIds = [...this.#wanted];
    this.#wanted.clear();
    if (everywhere) {
      const rows = await couriers.enabled();
      this.#enabled = new Map(rows.map((row) => [row.organizationId, row.count]));
    }
    const beat = leaseMs / 3;
    if (this.#couriers.size > 0 && timers.monotonic() - this.#renewed >= beat) await this.#renew();
    const limit = Math.min(CLAIMED_AT_ONCE, MAX_HELD - this.#running.size);
    if (this.#enabled.size > 0 && limit > 0) {
      // Each claim has a name of its own: a courier that has lost its endpoint can write nothing about it any more,
      // even if this process holds it again, and no lease is renewed for a claim whose answer was lost.
      const owner = randomUUID();
      const query = { owner, leaseMs, limit, organizationIds, everywhere };
      const claimed = await couriers.claim(query);
      for (const webhook of claimed) this.#start(owner, webhook);
      if (claimed.length === limit) this.#everywhere = true;
    }
    if (everywhere) this.#lookedEverywhere = begun;
    if (this.#everywhere) return 0;
    // Without room, the end of a courier comes first.
    const wake = this.#enabled.size === 0 || limit <= 0 ? null : await couriers.nextWake();
    const now = timers.monotonic();
    const renewIn = this.#couriers.size === 0 ? FLOOR_MS : this.#renewed + beat - now;
    const lookIn = this.#lookedEverywhere + FLOOR_MS - now;
    return Math.max(1, Math.min(wake ?? FLOOR_MS, renewIn, lookIn));
  }

  async #renew(): Promise<void> {
    const { store, timers, leaseMs } = this.#options;
    const begun = timers.monotonic();
    const before = [...this.#couriers];
    const held = before.map(([webhookId, { owner }]) => ({ webhookId, owner }));
    const rows = await store.webhookCouriers.renew({ held, leaseMs });
    this.#renewed = begun;
    const renewed = new Map(rows.map((webhook) => [webhook.id, webhook]));
    for (const [id, courier] of before) {
      const webhook = renewed.get(id);
      if (webhook === undefined) courier.lose();
      else courier.update(webhook);
    }
  }

  #start(owner: string, webhook: HeldWebhook): void {
    const { id } = webhook;
    // It has lost the endpoint but may still wait for answers.
    const predecessor = this.#couriers.get(id);
    predecessor?.lose();
    const courier = startCourier({ ...this.#parts, owner }, webhook, predecessor?.ended);
    this.#couriers.set(id, courier);
    this.#running.add(courier);
    void courier.ended.then((missed) => {
      this.#running.delete(courier);
      if (this.#couriers.get(id) === courier) this.#couriers.delete(id);
      if (missed) this.#want(courier.organizationId);
      // The time at which its remaining deliveries are due.
      this.#bell.ring();
    });
  }
}
