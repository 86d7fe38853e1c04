import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Cli } from '../cli.ts';
import { CliError } from '../cli-error.ts';
import { makePrivateDir } from '../config/private-file.ts';
import { EXIT } from '../exit-codes.ts';
import { onFile } from '../file-error.ts';
import { type ProcessLock, takeLock } from '../locks/process-lock.ts';
import type { JournalEntry, RunHeader } from './entry.ts';
import { journalFile, runLockFile } from './journal-file.ts';
import type { RunState } from './run-state.ts';
import { readRun } from './run-store.ts';

/**
 * Append-only record of a run: an entry is on disk before its consequence happens. After Ctrl-C, SIGKILL or a
 * power failure it contains at least the last completed step, and a sent round is sent again under the same key. One
 * process at a time has it open.
 */
export class RunJournal {
  /** The state of the run when it was opened. */
  readonly state: RunState;
  /** Another process began the run. */
  readonly isReopened: boolean;
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #lock: ProcessLock;
  /** Appends of accounts that end together must not interleave. */
  #last: Promise<void> = Promise.resolve();
  #closed = false;

  private constructor(
    path: string,
    file: FileHandle,
    lock: ProcessLock,
    facts: Pick<RunJournal, 'state' | 'isReopened'>,
  ) {
    this.#path = path;
    this.#file = file;
    this.#lock = lock;
    this.state = facts.state;
    this.isReopened = facts.isReopened;
  }

  /** Creates the journal of a new run. */
  static async create(cli: Cli, header: RunHeader): Promise<RunJournal> {
    const { runsDir } = cli.locations;
    const path = journalFile(runsDir, header.run);
    await onFile(path, () => makePrivateDir(runsDir));
    const lock = await lockOf(cli, header.run);
    const state = {
      header,
      next: header.batch,
      accounts: new Map(),
      finished: false,
      length: 0,
    };
    try {
      const file = await onFile(path, () => open(path, 'ax', 0o600));
      const journal = new RunJournal(path, file, lock, { state, isReopened: false });
      await journal.append(header);
      await syncDirectory(dirname(path));
      return journal;
    } catch (error) {
      // Nothing was sent, so there is nothing to resume.
      await rm(path, { force: true });
      await lock.release();
      throw error;
    }
  }

  /** Reopens a journal; a torn last line is cut off. @throws CliError while another process has it open */
  static async reopen(cli: Cli, run: string): Promise<RunJournal> {
    const { runsDir } = cli.locations;
    const lock = await lockOf(cli, run);
    try {
      // Read under the lock, because another process may have written until then.
      const state = await readRun(runsDir, run, cli.texts);
      const path = journalFile(runsDir, run);
      const file = await open(path, 'a', 0o600);
      await file.truncate(state.length);
      return new RunJournal(path, file, lock, { state, isReopened: true });
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  append(...entries: readonly JournalEntry[]): Promise<void> {
    if (entries.length === 0) return this.#last;
    const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    this.#last = this.#last.then(() =>
      onFile(this.#path, async () => {
        await this.#file.appendFile(text);
        await this.#file.datasync();
      }),
    );
    return this.#last;
  }

  /** Waits for writes in progress. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#last.catch(() => {});
    await this.#file.close();
    await this.#lock.release();
  }

  /** Nothing is kept of a run that never began. */
  async discard(): Promise<void> {
    await this.close();
    await rm(this.#path, { force: true });
  }
}

async function lockOf({ locations, io, texts }: Cli, run: string): Promise<ProcessLock> {
  // Two at once would submit its accounts twice.
  const lock = await takeLock(runLockFile(locations.runsDir, run), io.isAlive);
  if ('heldBy' in lock) {
    throw new CliError('RUN_IN_PROGRESS', texts.bulk.busy(run, lock.heldBy), EXIT.busy);
  }
  return lock;
}

/** Makes the name of a new file survive a power failure. Windows has no such call and needs none. */
async function syncDirectory(dir: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
