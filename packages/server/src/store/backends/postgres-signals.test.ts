import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Signal } from '../transactions/script.ts';
import { type ListeningClient, openSignalChannel, payloads } from './postgres-signals.ts';

describe('notices between processes', () => {
  it('carry every signal once and fit into NOTIFY', () => {
    const signal = fc.constantFrom(
      { kind: 'ready' as const, pool: 'real' as const },
      { kind: 'changed' as const },
      { kind: 'finished' as const, jobId: `job_${'0'.repeat(26)}` },
    );
    fc.assert(
      fc.property(fc.array(signal, { maxLength: 600 }), (signals) => {
        const parts = payloads('me', signals);
        expect(parts.every((part) => Buffer.byteLength(part) < 8_000)).toBe(true);
        expect(parts.flatMap((part) => JSON.parse(part).signals)).toEqual(signals);
      }),
      { numRuns: 30 },
    );
  });
});

describe('a process that listens', () => {
  let clients: FakeClient[];
  let heard: Signal[];
  /** What the next connections do instead of listening. */
  let obstacles: (() => Promise<void>)[];

  beforeEach(() => {
    vi.useFakeTimers();
    clients = [];
    heard = [];
    obstacles = [];
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  interface FakeClient extends ListeningClient {
    readonly open: () => boolean;
    readonly fail: () => void;
    /** From now on its queries time out. */
    readonly freeze: () => void;
    readonly notify: (payload: string) => void;
  }

  function connect(): FakeClient {
    let hear: (payload: string) => void = () => {};
    let breakDown = () => {};
    let open = false;
    let silent = false;
    const obstacle = obstacles.shift();
    const client: FakeClient = {
      onNotification: (listener) => {
        hear = listener;
      },
      onError: (listener) => {
        breakDown = listener;
      },
      async connect() {
        open = true;
      },
      async query() {
        if (silent) throw new Error('Query read timeout');
        await obstacle?.();
      },
      async end() {
        open = false;
      },
      open: () => open,
      fail: () => {
        open = false;
        breakDown();
      },
      freeze: () => {
        silent = true;
      },
      notify: (payload) => hear(payload),
    };
    clients.push(client);
    return client;
  }

  const openChannel = () =>
    openSignalChannel(
      connect,
      async () => {},
      (signals) => heard.push(...signals),
    );
  /** With what it sends. */
  async function openSending() {
    const sent: Signal[][] = [];
    const send = async (payload: string) => sent.push(JSON.parse(payload).signals);
    return { sent, channel: await openSignalChannel(connect, send, () => {}) };
  }
  const listening = () => clients.filter((client) => client.open());

  it('tells of events together while they follow each other, and of a ready job at once', async () => {
    const { sent, channel } = await openSending();
    const event = (organizationId: number) => ({ kind: 'event', organizationId }) as const;
    const ready = { kind: 'ready', pool: 'real' } as const;
    channel.publish([event(1)]);
    expect(sent).toEqual([[event(1)]]);
    await vi.advanceTimersByTimeAsync(10);
    channel.publish([event(1)]);
    channel.publish([event(2)]);
    await vi.advanceTimersByTimeAsync(39);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent.at(-1)).toEqual([event(1), event(2)]);
    channel.publish([event(3)]);
    await vi.advanceTimersByTimeAsync(1);
    channel.publish([ready]);
    await vi.advanceTimersByTimeAsync(4);
    expect(sent.at(-1)).toEqual([event(3), ready]);
    await vi.advanceTimersByTimeAsync(100);
    expect(sent).toHaveLength(3);
    await channel.close();
  });

  it('lets a commit after a pause carry the notice of a ready job, unless it tells of an end', async () => {
    const { sent, channel } = await openSending();
    const event = { kind: 'event', organizationId: 1 } as const;
    const ready = { kind: 'ready', pool: 'real' } as const;
    const carried = (...signals: Signal[]) =>
      channel.behindCommit(signals).map((payload) => JSON.parse(payload).signals);
    channel.publish([event]);
    await vi.advanceTimersByTimeAsync(5);
    channel.publish([event]);
    expect([carried(event), carried(ready, { kind: 'finished', jobId: 'job' })]).toEqual([[], []]);
    expect(carried(ready)).toEqual([[event, ready]]);
    expect(carried(ready)).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    expect(sent).toEqual([[event]]);
    await channel.close();
  });

  it('listens again when its connection breaks, and checks everything again', async () => {
    const channel = await openChannel();
    clients[0]?.fail();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(listening()).toEqual([clients[1]]);
    expect(heard).toEqual([{ kind: 'changed' }]);
    clients[1]?.notify(
      JSON.stringify({ from: 'other', signals: [{ kind: 'ready', pool: 'real' }] }),
    );
    expect(heard.at(-1)).toEqual({ kind: 'ready', pool: 'real' });
    await channel.close();
    expect(listening()).toEqual([]);
  });

  it('never listens twice, and leaves no connection behind that could not listen', async () => {
    const channel = await openChannel();
    obstacles.push(async () => {
      clients[1]?.fail();
      throw new Error('gone');
    });
    obstacles.push(() => Promise.reject(new Error('not now')));
    clients[0]?.fail();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(clients).toHaveLength(4);
    // A client that was given up says once more that it is broken.
    clients[2]?.fail();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(listening()).toEqual([clients[3]]);
    await channel.close();
  });

  it('notices by itself that its connection went silent, and listens on another', async () => {
    const channel = await openChannel();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(listening()).toEqual([clients[0]]);
    clients[0]?.freeze();
    await vi.advanceTimersByTimeAsync(11_000);
    expect(listening()).toEqual([clients[1]]);
    expect(heard).toEqual([{ kind: 'changed' }]);
    await channel.close();
  });

  it('closes even while it reconnects', async () => {
    const channel = await openChannel();
    const slow = Promise.withResolvers<void>();
    obstacles.push(() => slow.promise);
    clients[0]?.fail();
    await vi.advanceTimersByTimeAsync(1_000);
    await channel.close();
    slow.resolve();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(clients).toHaveLength(2);
    expect(listening()).toEqual([]);
  });
});
