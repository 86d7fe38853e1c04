import { faultOf } from '../../failures/fault.ts';
import { decideDelivery, decideEndpoint } from '../../rules/webhooks/delivery-schedule.ts';
import type { StoredEvent } from '../../store/events/event-scripts.ts';
import type { DueDelivery, HeldWebhook } from '../../store/webhooks/courier-rows.ts';
import { type Bell, createBell } from '../../waiting/bell.ts';
import type { CourierDependencies } from './courier-dependencies.ts';
import { Intake } from './intake.ts';
import { webhookMessage } from './message.ts';
import type { WebhookAnswer } from './webhook-http.ts';
import type { WebhookSigner } from './webhook-keys.ts';

/** Concurrent requests to one endpoint. A failing endpoint gets one, so that failing endpoints delay no others. */
const MAX_IN_FLIGHT = 8;
/** A courier without work ends after this long. */
const LINGER_MS = 1_000;
const HELD_BACK_MS = 20;
const AFTER_FAILURE_MS = 1_000;
const MAX_WAIT_MS = 60_000;

const PURGED: WebhookAnswer = { status: null, error: 'EVENT_PURGED', body: null, durationMs: 0 };

/** Delivers to one endpoint while it holds the endpoint's lease. */
export interface Courier {
  readonly owner: string;
  readonly organizationId: number;
  /** The endpoint's current settings. */
  update(webhook: HeldWebhook): void;
  /** A request has asked for a delivery. */
  look(): void;
  /** Another process holds the lease now, or the endpoint was disabled. */
  lose(): void;
  /** Abandons requests in progress after `graceMs`. */
  stop(graceMs: number): Promise<void>;
  /** Resolves when the lease is released; true when there may be unread events. */
  readonly ended: Promise<boolean>;
}

/** @param predecessor after it: until then its requests count, and what they deliver is not sent again */
export function startCourier(
  dependencies: CourierDependencies,
  held: HeldWebhook,
  predecessor: Promise<unknown> = Promise.resolve(),
): Courier {
  const { feed, timers, owner } = dependencies;
  const bell = createBell(timers);
  const work = new CourierWork(dependencies, held, bell);
  let signals = 0;
  const leave = feed.watch(held.organizationId, () => {
    signals += 1;
    bell.ring();
  });
  const ended = predecessor
    .then(() => work.run(() => signals))
    .then((seen) => seen !== signals)
    .finally(leave);
  return {
    owner,
    organizationId: held.organizationId,
    update: (webhook) => work.update(webhook),
    look: () => work.look(),
    lose: () => work.end(),
    async stop(graceMs) {
      const cancel = timers.after(graceMs, () => work.abort());
      work.end();
      await ended;
      cancel();
    },
    ended,
  };
}

/** The state of one courier. */
class CourierWork {
  readonly #dependencies: CourierDependencies;
  readonly #bell: Bell;
  readonly #giveUp = new AbortController();
  readonly #intake: Intake;
  #signer: { readonly keyVersion: number; readonly sign: WebhookSigner } | undefined;
  #health: { readonly url: string; readonly failingSince: number | null };
  #inFlight = 0;
  #ending = false;

  constructor(dependencies: CourierDependencies, webhook: HeldWebhook, bell: Bell) {
    this.#dependencies = dependencies;
    this.#health = webhook;
    this.#bell = bell;
    this.#intake = new Intake(dependencies, webhook);
  }

  /** Since when the present address fails. */
  get #failingSince(): number | null {
    const { webhook } = this.#intake;
    if (webhook.url !== this.#health.url) this.#health = webhook;
    return this.#health.failingSince;
  }

  update(webhook: HeldWebhook): void {
    this.#intake.update(webhook);
    this.#bell.ring();
  }

  look(): void {
    this.#intake.lookIn(0);
    this.#bell.ring();
  }

  end(): void {
    this.#ending = true;
    this.#bell.ring();
  }

  abort(): void {
    this.#giveUp.abort();
  }

  /** Returns the number of signals received before its last read. */
  async run(signals: () => number): Promise<number> {
    const { timers, log } = this.#dependencies;
    let idleSince: number | null = null;
    let seen = signals();
    while (!this.#ending) {
      try {
        seen = signals();
        const { found, heldBack, nextMs } = await this.#intake.fill();
        this.#send();
        const isIdle = this.#inFlight === 0 && !found && !heldBack;
        idleSince = isIdle ? (idleSince ?? timers.monotonic()) : null;
        if (idleSince !== null && timers.monotonic() - idleSince >= LINGER_MS) break;
        if (!found) await this.#bell.heard(pauseOf({ heldBack, isIdle, nextMs }));
      } catch (error) {
        log.error(
          { fault: faultOf(error), webhook: this.#intake.webhook.id },
          'a webhook waits for the database',
        );
        await this.#bell.heard(AFTER_FAILURE_MS);
      }
      if (this.#intake.lost) this.#ending = true;
    }
    while (this.#inFlight > 0) await this.#bell.heard(MAX_WAIT_MS);
    await this.#release();
    return seen;
  }

  async #release(): Promise<void> {
    const { store, owner, log } = this.#dependencies;
    const input = { owner, webhookId: this.#intake.webhook.id, to: this.#intake.position };
    await store.webhookCouriers
      .release({ ...input, handOver: this.#ending })
      // The lease expires on its own.
      .catch((error: unknown) =>
        log.warn({ fault: faultOf(error) }, 'a webhook was not given back'),
      );
  }

  /** Starts as many requests as are allowed at once. */
  #send(): void {
    while (!this.#ending && this.#inFlight < (this.#failingSince === null ? MAX_IN_FLIGHT : 1)) {
      const delivery = this.#intake.next();
      if (delivery === undefined) return;
      this.#inFlight += 1;
      void this.#deliver(delivery)
        .catch((error: unknown) => {
          this.#dependencies.log.error(
            { fault: faultOf(error) },
            'an attempt could not be written down',
          );
          this.#intake.lookIn(AFTER_FAILURE_MS);
        })
        .finally(() => {
          this.#inFlight -= 1;
          this.#intake.done(delivery);
          this.#send();
          this.#bell.ring();
        });
    }
  }

  async #deliver(delivery: DueDelivery): Promise<void> {
    const answer = await this.#attempt(delivery.event);
    // Neither delivered nor refused: the next courier sends it.
    if (answer.error !== null && this.#giveUp.signal.aborted) return;
    const { writer, random } = this.#dependencies;
    const { kind } = delivery;
    const attempts = delivery.attempts + 1;
    const verdict = decideDelivery({ kind, attempts }, answer, random());
    const delayMs = verdict.status === 'PENDING' ? verdict.delayMs : null;
    await writer.write({
      seq: delivery.seq,
      status: verdict.status,
      delayMs,
      durationMs: answer.durationMs,
      responseStatus: answer.status,
      responseBody: answer.body,
      error: answer.error,
    });
    if (delayMs !== null) this.#intake.lookIn(delayMs);
    if (answer.url === this.#intake.webhook.url) await this.#judge(delivery, answer);
  }

  /** Answers also which address was meant; it may have changed since. */
  async #attempt(event: StoredEvent | null): Promise<WebhookAnswer & { readonly url: string }> {
    const { places, http, realNow } = this.#dependencies;
    if (event === null) return { ...PURGED, url: this.#intake.webhook.url };
    const leave = await places.enter(this.#intake.webhook.organizationId);
    try {
      const { webhook } = this.#intake;
      const message = webhookMessage(event, await this.#signerOf(webhook), realNow());
      const { url } = webhook;
      return { ...(await http.post(url, message, this.#giveUp.signal)), url };
    } finally {
      leave();
    }
  }

  async #signerOf(webhook: HeldWebhook): Promise<WebhookSigner> {
    const { keyVersion } = webhook;
    if (this.#signer?.keyVersion !== keyVersion) {
      this.#signer = { keyVersion, sign: await this.#dependencies.openSigner(webhook) };
    }
    return this.#signer.sign;
  }

  /** What the attempt reveals about the endpoint itself. */
  async #judge({ kind }: DueDelivery, answer: WebhookAnswer): Promise<void> {
    const { store, disable, realNow } = this.#dependencies;
    const facts = { failingSince: this.#failingSince, now: realNow() };
    const verdict = decideEndpoint(kind, answer, facts);
    if (verdict === 'unchanged' || this.#ending) return;
    if (typeof verdict === 'object') {
      this.end();
      return disable(this.#intake.webhook, verdict.disable);
    }
    const { id, url } = this.#intake.webhook;
    const failing = verdict === 'failing';
    this.#health = { url, failingSince: failing ? facts.now : null };
    await store.webhookCouriers.noteHealth({ webhookId: id, url, failing });
  }
}

function pauseOf(facts: { heldBack: boolean; isIdle: boolean; nextMs: number }): number {
  const longest = facts.isIdle ? LINGER_MS : MAX_WAIT_MS;
  return Math.min(facts.heldBack ? HELD_BACK_MS : longest, facts.nextMs);
}
