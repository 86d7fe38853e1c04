import type { Cli } from '../../cli.ts';
import type { WriteQueue } from '../../output/write-queue.ts';

/** Tells a person when a stream opens, and each time that it is lost and found again. */
export class Connection {
  /** The stream's position at its last report. */
  place: string | null = null;
  readonly #cli: Cli;
  readonly #queue: WriteQueue;
  readonly #opened: () => Promise<void>;
  #lost = false;

  constructor(cli: Cli, queue: WriteQueue, opened: () => Promise<void>) {
    this.#cli = cli;
    this.#queue = queue;
    this.#opened = opened;
  }

  readonly onPlace = (eventId: string): void => {
    const { notes, texts } = this.#cli;
    if (this.place === null) this.#queue.add(this.#opened);
    else if (this.#lost) this.#queue.add(() => notes.info(texts.events.connected));
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
