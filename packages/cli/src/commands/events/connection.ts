import type { Cli } from '../../cli.ts';
import type { WriteQueue } from '../../output/write-queue.ts';

/** Tells a person when a stream opens, and each time that it is lost and found again. */
export class Connection {
  /** The stream's position at its last report. */
  place: string | null = null;
  readonly #cli: Cli;
  readonly #queue: WriteQueue;
  readonly #opened: (() => Promise<void>) | undefined;
  #lost = false;

  /** @param opened what to say when the stream opens; default: that it did, where it could not at first */
  constructor(cli: Cli, queue: WriteQueue, opened?: () => Promise<void>) {
    this.#cli = cli;
    this.#queue = queue;
    this.#opened = opened;
  }

  readonly onPlace = (eventId: string): void => {
    const { notes, texts } = this.#cli;
    const { connected, connectedAgain } = texts.events;
    const isFirst = this.place === null;
    if (isFirst && this.#opened) this.#queue.add(this.#opened);
    else if (this.#lost) this.#queue.add(() => notes.info(isFirst ? connected : connectedAgain));
    this.#lost = false;
    this.place = eventId;
  };

  readonly onInterruption = (): void => {
    const { notes, texts } = this.#cli;
    const { unreachable, disconnected } = texts.events;
    const what = this.place === null ? unreachable : disconnected;
    if (!this.#lost) this.#queue.add(() => notes.warn(what));
    this.#lost = true;
  };
}
