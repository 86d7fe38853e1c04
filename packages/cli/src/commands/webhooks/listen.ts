import type { EnvScope, EventStreamQuery, ServiceEvent } from '@changgu/sdk';
import type { WritingCli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import { writes } from '../../command.ts';
import { isJson } from '../../output/format.ts';
import { WriteQueue } from '../../output/write-queue.ts';
import { withinTimeout } from '../../time-limit.ts';
import { Connection } from '../events/connection.ts';
import { stoppedReading } from '../events/stopped-reading.ts';
import { forwardEvent } from './forward-event.ts';
import { generateSecret, type ListenKeys, listenKeys } from './listen-keys.ts';
import { FORWARDED, LISTENING } from './shapes.ts';

export interface ListenOptions {
  readonly forward: string;
  readonly type?: string[] | undefined;
  readonly env?: EnvScope | undefined;
  /** The id of the last event already seen. */
  readonly after?: string | undefined;
}

/** Concurrent requests, as many as the service sends to one endpoint. */
const MAX_IN_FLIGHT = 8;

/** An endpoint without a public address: reads the events and forwards each as the service would. */
export const listen = writes<[options: ListenOptions]>(FORWARDED, async (cli, options) => {
  const url = forwardUrl(cli, options.forward);
  const keys = keysOf(cli);
  const client = await cli.client('any');
  const envScope = options.env ?? (await cli.settings()).envScope.value;
  cli.gate.pass({ method: 'POST', url, headers: {} });
  const underWay = new UnderWay(options.after);
  const queue = new WriteQueue();
  const connection = new Connection(cli, queue, () => tellListening(cli, url, keys));
  const { onPlace, onInterruption } = connection;
  try {
    await withinTimeout(cli, async (signal) => {
      const streamed = {
        signal: AbortSignal.any([signal, queue.signal]),
        onPlace,
        onInterruption,
      };
      for await (const event of client.events.stream(queryOf(options), streamed)) {
        await queue.written();
        // Like an endpoint: the events of its environment, and those without one.
        if (event.envScope !== null && event.envScope !== envScope) continue;
        await underWay.room();
        underWay.begin(event.eventId, forwardAndTell(cli, queue, event, { url, keys }));
      }
    });
  } catch (error) {
    // What could not be written ended the stream.
    const cause = queue.signal.aborted ? queue.signal.reason : error;
    const place = (await underWay.ended()) ?? connection.place;
    if (place === null) throw cause;
    throw stoppedReading(cli, cause, cli.again(['--after', place], ['--after']));
  }
  return undefined;
});

/** @throws usage error */
function forwardUrl({ texts }: WritingCli, text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw usageError(texts.webhooks.forwardTo(text), '--forward http://localhost:3000/hook');
  }
  return url.href;
}

/** @throws usage error for a secret of another kind */
function keysOf({ io, texts }: WritingCli): ListenKeys {
  const keys = listenKeys(io.env.CHANGGU_WEBHOOK_SECRET || generateSecret());
  if (keys === null) throw usageError(texts.webhooks.wrongSecret);
  return keys;
}

function queryOf({ type, after }: ListenOptions): EventStreamQuery {
  return {
    // The service refuses an unknown type and names the known ones.
    ...(type === undefined ? {} : { type: type as NonNullable<EventStreamQuery['type']> }),
    ...(after === undefined ? {} : { after }),
  };
}

/** A receiver needs the secret: the first line with JSON, otherwise a note. */
async function tellListening(cli: WritingCli, url: string, keys: ListenKeys): Promise<void> {
  const { secret, publicKey } = keys;
  if (!isJson(cli.output.format)) {
    return cli.notes.info(cli.texts.webhooks.listening(url, secret, publicKey));
  }
  if (cli.output.hasFields) return;
  await cli.output.change({ forward: url, secret, publicKey }, LISTENING);
}

async function forwardAndTell(
  cli: WritingCli,
  queue: WriteQueue,
  event: ServiceEvent,
  to: { readonly url: string; readonly keys: ListenKeys },
): Promise<void> {
  const { signal } = cli;
  const forwarded = await forwardEvent(event, { ...to, now: () => cli.now(), signal });
  // Neither delivered nor refused.
  if (forwarded.error !== null && signal.aborted) throw signal.reason;
  queue.add(() => cli.output.change(forwarded, FORWARDED));
  await queue.written();
}

/** Unfinished requests, and the event after which another run would continue. */
class UnderWay {
  #place: string | null;
  #last: Promise<unknown> = Promise.resolve();
  readonly #works = new Set<Promise<void>>();

  constructor(place: string | undefined) {
    this.#place = place ?? null;
  }

  /** Waits until another one may begin. @throws the error that ended one */
  async room(): Promise<void> {
    if (this.#works.size >= MAX_IN_FLIGHT) await Promise.race(this.#works);
  }

  begin(eventId: string, work: Promise<void>): void {
    this.#works.add(work);
    const inOrder = Promise.all([this.#last, work]).then(() => {
      this.#place = eventId;
    });
    this.#last = inOrder;
    // A failure also ends the stream, which reports it.
    inOrder.catch(() => {});
    work.catch(() => {}).finally(() => this.#works.delete(work));
  }

  /** Returns the last event before which none is unfinished. */
  async ended(): Promise<string | null> {
    await Promise.allSettled(this.#works);
    await this.#last.catch(() => {});
    return this.#place;
  }
}
