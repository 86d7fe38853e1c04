import { randomUUID } from 'node:crypto';
import { type MergedSignals, mergeInto } from '../transactions/merge-signals.ts';
import type { Signal } from '../transactions/script.ts';

export const CHANNEL = 'changgu';
/** How long a notice waits for others after the one before it. */
const COALESCE_MS = 5;
/** The same for events alone: no job and no caller waits for them, and every commit has some. */
const COALESCE_EVENTS_MS = 50;
/** NOTIFY carries less than 8000 bytes. */
const PAYLOAD_BYTES = 7_500;
const RECONNECT_MS = 1_000;
/** How often a quiet connection is checked: a dead one receives nothing. */
const PROBE_MS = 10_000;

interface Notice {
  readonly from: string;
  readonly signals: readonly Signal[];
}

/** A connection that only listens. */
export interface ListeningClient {
  onNotification(hear: (payload: string | undefined) => void): void;
  onError(fail: () => void): void;
  connect(): Promise<unknown>;
  /** Rejects when no answer arrives in time. */
  query(text: string): Promise<unknown>;
  end(): Promise<void>;
}

/**
 * Tells other processes what was committed. Sent outside the transaction, because NOTIFY inside serializes
 * commits on one lock and costs six times as much.
 */
export async function openSignalChannel(
  connect: () => ListeningClient,
  notify: (payload: string) => Promise<unknown>,
  deliver: (signals: readonly Signal[]) => void,
) {
  const self = randomUUID();
  const outbox = createNoticeOutbox((signals) =>
    // A lost notification costs time, never work: every process also polls slowly.
    Promise.allSettled(payloads(self, signals).map(notify)),
  );
  const listener = createListener(connect, {
    hear: (payload) => {
      const notice = parseNotice(payload);
      if (notice && notice.from !== self) deliver(notice.signals);
    },
    again: () => deliver([{ kind: 'changed' }]),
  });
  await listener.open();
  return {
    publish: outbox.add,
    /** What to send right behind the COMMIT of these signals, when an idle worker may wait for it; else nothing. */
    behindCommit: (signals: readonly Signal[]) => payloads(self, outbox.take(signals)),
    async close(): Promise<void> {
      await outbox.flush();
      await listener.close();
    },
  };
}

/** Listens on one connection, and on another when that one breaks or goes silent. */
function createListener(
  connect: () => ListeningClient,
  { hear, again }: { hear: (payload: string | undefined) => void; again: () => void },
) {
  let client: ListeningClient | undefined;
  let retry: NodeJS.Timeout | undefined;
  let probe: NodeJS.Timeout | undefined;
  let closed = false;

  async function open(): Promise<void> {
    const next = connect();
    next.onNotification(hear);
    next.onError(() => lost(next));
    await listen(next);
    if (closed) {
      await next.end();
      return;
    }
    client = next;
    probeLater(next);
  }

  function probeLater(listening: ListeningClient): void {
    probe = setTimeout(() => {
      listening.query('select 1').then(
        () => {
          if (client === listening) probeLater(listening);
        },
        () => lost(listening),
      );
    }, PROBE_MS).unref();
  }

  function lost(listening: ListeningClient): void {
    if (client !== listening) return;
    client = undefined;
    clearTimeout(probe);
    void listening.end().catch(() => {});
    retryLater();
  }

  function retryLater(): void {
    if (!closed)
      retry = setTimeout(() => void open().then(again, retryLater), RECONNECT_MS).unref();
  }

  return {
    open,
    async close(): Promise<void> {
      closed = true;
      clearTimeout(retry);
      clearTimeout(probe);
      await client?.end();
    },
  };
}

/** A client that cannot listen is ended. */
async function listen(client: ListeningClient): Promise<void> {
  try {
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** Batches signals: the first is sent at once, because an idle worker waits for it; later ones go together. */
function createNoticeOutbox(send: (signals: readonly Signal[]) => Promise<unknown>) {
  const waiting: MergedSignals = new Map();
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let lastFlush = Number.NEGATIVE_INFINITY;

  function takeAll(): readonly Signal[] {
    clearTimeout(timer);
    dueAt = Number.POSITIVE_INFINITY;
    lastFlush = performance.now();
    const signals = [...waiting.values()];
    waiting.clear();
    return signals;
  }

  async function flush(): Promise<void> {
    await send(takeAll());
  }

  return {
    flush,
    /** All that would be sent at once, if it says that jobs are ready; else nothing. */
    take(signals: readonly Signal[]): readonly Signal[] {
      const mayTell = signals.some(({ kind }) => kind === 'ready') && signals.every(isHarmless);
      if (!mayTell || lastFlush + COALESCE_MS > performance.now()) return [];
      mergeInto(waiting, signals);
      return takeAll();
    },
    add(signals: readonly Signal[]): void {
      if (signals.length === 0) return;
      mergeInto(waiting, signals);
      const now = performance.now();
      const mayWait = signals.every(({ kind }) => kind === 'event');
      const due = lastFlush + (mayWait ? COALESCE_EVENTS_MS : COALESCE_MS);
      // Not even a zero-delay timer: it costs the idle worker a millisecond.
      if (due <= now) void flush();
      else if (due < dueAt) {
        clearTimeout(timer);
        dueAt = due;
        timer = setTimeout(() => void flush(), due - now);
      }
    },
  };
}

/** Makes others only look, so it does no harm if what it tells of was rolled back. */
function isHarmless({ kind }: Signal): boolean {
  return kind === 'ready' || kind === 'event' || kind === 'progress';
}

export function payloads(from: string, signals: readonly Signal[]): string[] {
  const result: string[] = [];
  let part: Signal[] = [];
  for (const signal of signals) {
    const longer = JSON.stringify({ from, signals: [...part, signal] });
    if (Buffer.byteLength(longer) > PAYLOAD_BYTES) {
      result.push(JSON.stringify({ from, signals: part }));
      part = [];
    }
    part.push(signal);
  }
  if (part.length > 0) result.push(JSON.stringify({ from, signals: part }));
  return result;
}

function parseNotice(payload: string | undefined): Notice | undefined {
  try {
    // Only stores write to this channel; anything else fails the checks below.
    const notice = JSON.parse(payload ?? '') as Partial<Notice>;
    if (typeof notice.from !== 'string' || !Array.isArray(notice.signals)) return undefined;
    return { from: notice.from, signals: notice.signals };
  } catch {
    return undefined;
  }
}
