import { isToldOf } from '../../rules/webhooks/webhook-access.ts';
import type { EventPosition, StoredEvent } from '../../store/events/event-scripts.ts';
import type { DueDelivery, HeldWebhook, ReplayRange } from '../../store/webhooks/courier-rows.ts';
import type { CourierDependencies } from './courier-dependencies.ts';

/** Deliveries that wait in memory; beyond that, events stay unread. */
const MAX_QUEUED = 200;
/** After this many pages without a matching event, the position is saved anyway. */
const MAX_UNSAVED_PAGES = 20;

type IntakeDependencies = Pick<CourierDependencies, 'owner' | 'store' | 'feed' | 'timers'>;

/** How far reading has progressed. */
interface Filling {
  readonly found: boolean;
  /** Something is committed that cannot be read yet. */
  readonly heldBack: boolean;
  /** Time until the next attempt is due. */
  readonly nextMs: number;
}

/** What one endpoint is sent next: new events, attempts that are due, and replays. */
export class Intake {
  readonly #dependencies: IntakeDependencies;
  readonly #queue: DueDelivery[] = [];
  /** Queued or being sent. */
  readonly #taken = new Set<number>();
  #webhook: HeldWebhook;
  #position: EventPosition;
  /** Where the database has it. */
  #saved: EventPosition;
  #replay: ReplayRange | null;
  #unsavedPages = 0;
  #dueAt: number;
  #lost = false;

  constructor(dependencies: IntakeDependencies, webhook: HeldWebhook) {
    this.#dependencies = dependencies;
    this.#webhook = webhook;
    this.#position = webhook.position;
    this.#saved = webhook.position;
    this.#replay = webhook.replay;
    this.#dueAt = dependencies.timers.monotonic();
  }

  get position(): EventPosition {
    return this.#position;
  }

  /** The lease is no longer held. */
  get lost(): boolean {
    return this.#lost;
  }

  /** The endpoint's current settings. */
  get webhook(): HeldWebhook {
    return this.#webhook;
  }

  update(webhook: HeldWebhook): void {
    // Two answers of the database may overtake each other.
    if (webhook.keyVersion < this.#webhook.keyVersion) return;
    this.#webhook = webhook;
    this.#replay ??= webhook.replay;
  }

  /** Reads more events, as far as there is room. */
  async fill(): Promise<Filling> {
    const hasDue = await this.#readDue();
    const { found, heldBack } = await this.#readEvents();
    const hasReplayed =
      this.#replay !== null && !this.#lost && (await this.#readReplay(this.#replay));
    const nextMs = Math.max(1, this.#dueAt - this.#dependencies.timers.monotonic());
    return { found: hasDue || found || hasReplayed, heldBack, nextMs };
  }

  /** Checks for due attempts after `ms`, with the next fill. */
  lookIn(ms: number): void {
    this.#dueAt = Math.min(this.#dueAt, this.#dependencies.timers.monotonic() + ms);
  }

  next(): DueDelivery | undefined {
    return this.#queue.shift();
  }

  /** It may be read again if it is still due. */
  done({ seq }: DueDelivery): void {
    this.#taken.delete(seq);
  }

  get #isFull(): boolean {
    return this.#queue.length >= MAX_QUEUED;
  }

  #push(delivery: DueDelivery): void {
    if (this.#taken.has(delivery.seq)) return;
    this.#taken.add(delivery.seq);
    this.#queue.push(delivery);
  }

  async #readDue(): Promise<boolean> {
    const { store, timers } = this.#dependencies;
    const begun = timers.monotonic();
    if (begun < this.#dueAt || this.#isFull) return false;
    const limit = MAX_QUEUED + this.#taken.size;
    this.#dueAt = Number.POSITIVE_INFINITY;
    const query = { webhookId: this.#webhook.id, limit };
    const { due, nextMs } = await store.webhookCouriers.due(query).catch((error: unknown) => {
      this.#dueAt = begun;
      throw error;
    });
    const before = this.#queue.length;
    for (const delivery of due) this.#push(delivery);
    // The page was full, so there may be more when these are done.
    if (due.length === limit) this.#dueAt = begun;
    else if (nextMs !== null) this.#dueAt = Math.min(this.#dueAt, begun + nextMs);
    return this.#queue.length > before;
  }

  async #readEvents() {
    if (this.#isFull) return { found: false, heldBack: false };
    const { organizationId } = this.#webhook;
    const { events, heldBack } = await this.#dependencies.feed.after(
      organizationId,
      this.#position,
    );
    const last = events.at(-1);
    if (last === undefined) return { found: false, heldBack };
    const to = { tx: last.tx, seq: last.seq };
    const wanted = events.filter((event) => isToldOf(this.#webhook, event));
    this.#unsavedPages += 1;
    if (wanted.length > 0 || this.#unsavedPages >= MAX_UNSAVED_PAGES) {
      this.#lost = !(await this.#advance('event', wanted, { from: this.#saved, to }));
      if (!this.#lost) this.#saved = to;
      this.#unsavedPages = 0;
    }
    if (!this.#lost) this.#position = to;
    return { found: true, heldBack };
  }

  async #readReplay(range: ReplayRange): Promise<boolean> {
    if (this.#isFull) return false;
    const { events } = await this.#dependencies.feed.after(
      this.#webhook.organizationId,
      range.position,
    );
    const within = events.filter((event) => !isBehind(event, range.end));
    const last = within.at(-1);
    const replayDone = last === undefined || within.length < events.length;
    const to = last === undefined ? range.end : { tx: last.tx, seq: last.seq };
    const wanted = within.filter(
      ({ at, ...event }) => at >= range.from && at < range.to && isToldOf(this.#webhook, event),
    );
    const isHeld = await this.#advance('replay', wanted, { from: range.position, to, replayDone });
    this.#replay = replayDone || !isHeld ? null : { ...range, position: to };
    // It may be that its deliveries were made and the answer was lost.
    if (!isHeld) this.lookIn(0);
    return true;
  }

  /** False when the lease, the position or the range is no longer held. */
  async #advance(
    kind: 'event' | 'replay',
    events: readonly StoredEvent[],
    move: { from: EventPosition; to: EventPosition; replayDone?: boolean },
  ): Promise<boolean> {
    const { store, owner } = this.#dependencies;
    const advanced = await store.webhookCouriers.advance({
      owner,
      webhookId: this.#webhook.id,
      kind,
      ...move,
      events: events.map(({ tx, seq, type }) => ({ tx, seq, type })),
    });
    if (advanced === null) return false;
    // An event after a change of the endpoint is sent as the endpoint was then, before the signal of it is heard.
    this.update(advanced.webhook);
    const bySeq = new Map(events.map((event) => [event.seq, event]));
    // In the order of the events, regardless of the database's order.
    for (const { seq, eventSeq } of advanced.deliveries.toSorted((a, b) => a.seq - b.seq)) {
      this.#push({ seq, kind, attempts: 0, event: bySeq.get(eventSeq) ?? null });
    }
    return true;
  }
}

function isBehind(event: EventPosition, end: EventPosition): boolean {
  return event.tx > end.tx || (event.tx === end.tx && event.seq > end.seq);
}
