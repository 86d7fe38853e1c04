import { isEndState, type Job } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { onContactChange } from '../../output/contact.ts';
import type { LiveTable } from '../../output/live-table.ts';
import { fit } from '../../output/width.ts';
import { WriteQueue } from '../../output/write-queue.ts';
import { CHANGE } from './shapes.ts';

/** How often the time in the last line is repainted. */
const SECOND_MS = 1_000;

/** What is shown of watched jobs: a table repainted in place at a terminal, elsewhere a line for every change. */
export class WatchView {
  readonly #cli: Cli;
  readonly #ids: readonly string[];
  readonly #live: LiveTable | null;
  readonly #jobs = new Map<string, Job>();
  readonly #startedAt: number;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #writes = new WriteQueue();
  readonly #endContact: () => void;
  #isLost = false;

  constructor(cli: Cli, ids: readonly string[], live: LiveTable | null) {
    this.#cli = cli;
    this.#ids = ids;
    this.#live = live;
    this.#startedAt = cli.now();
    this.#endContact = onContactChange(cli, {
      lost: () => {
        this.#isLost = true;
        if (!live) this.#writes.add(() => cli.notes.warn(cli.texts.jobs.noAnswer));
      },
      back: () => {
        this.#isLost = false;
      },
    });
    if (live === null) return;
    this.#timer = setInterval(() => {
      this.#writes.add(() => this.#paint(live));
    }, SECOND_MS).unref();
  }

  /** Aborts when it cannot be shown. */
  get signal(): AbortSignal {
    return this.#writes.signal;
  }

  show(job: Job): void {
    const before = this.#jobs.get(job.jobId);
    if (before && !isNews(before, job)) return;
    this.#jobs.set(job.jobId, job);
    const live = this.#live;
    this.#writes.add(() => (live ? this.#paint(live) : this.#cli.output.change(job, CHANGE)));
  }

  /** Leaves the last states where the live table was. @throws OutputError */
  async end(): Promise<void> {
    this.#endContact();
    clearInterval(this.#timer);
    await this.#writes.written();
    const rows = this.#rows();
    if (this.#live) await this.#live.clear();
    if (this.#live || rows.length === 0) await this.#cli.output.list(rows, CHANGE);
  }

  #rows(): readonly Job[] {
    return this.#ids.flatMap((id) => this.#jobs.get(id) ?? []);
  }

  async #paint(live: LiveTable): Promise<void> {
    const { output, texts, styleOfNotes: style } = this.#cli;
    const rows = this.#rows();
    if (rows.length === 0) return;
    const lines = await output.lines(rows, CHANGE);
    const room = live.height - 1;
    const open = rows.filter(({ status }) => !isEndState(status)).length;
    const seconds = Math.floor((this.#cli.now() - this.#startedAt) / SECOND_MS);
    const foot = [
      this.#isLost ? texts.jobs.noAnswer : texts.jobs.waitingFor(open, this.#ids.length),
      `${seconds}s`,
      ...(lines.length > room ? [texts.jobs.linesBelow(lines.length - room)] : []),
    ].join(' · ');
    const { columns = foot.length } = this.#cli.io.stdout;
    await live.paint([...lines.slice(0, room), style('dim', fit(foot, columns))]);
  }
}

/** An end is final: an answer that it overtook is out of date. */
function isNews(before: Job, now: Job): boolean {
  if (isEndState(before.status)) return false;
  return (
    before.status !== now.status ||
    before.progress !== now.progress ||
    before.progressMessage !== now.progressMessage
  );
}
