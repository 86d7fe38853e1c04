import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makePrivateDir } from '../config/private-file.ts';
import type { JournalEntry, RunHeader } from './entry.ts';

/**
 * Append-only record of a run: an entry is on the disk before what follows it happens. So after Ctrl-C, SIGKILL or a
 * power cut it says at least what was done last, and a round that was sent is sent again under the same key.
 */
export class RunJournal {
  readonly #file: FileHandle;
  /** Appends of accounts that end at once must not interleave. */
  #last: Promise<void> = Promise.resolve();

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Starts the journal of a new run. */
  static async create(dir: string, header: RunHeader): Promise<RunJournal> {
    await makePrivateDir(dir);
    const path = journalFile(dir, header.run);
    const journal = new RunJournal(await open(path, 'ax', 0o600));
    await journal.append(header);
    await syncDirectory(dirname(path));
    return journal;
  }

  /** Goes on with a journal. @param length bytes that are whole; a torn line after them is cut off */
  static async reopen(dir: string, run: string, length: number): Promise<RunJournal> {
    const file = await open(journalFile(dir, run), 'a', 0o600);
    await file.truncate(length);
    return new RunJournal(file);
  }

  append(entry: JournalEntry): Promise<void> {
    this.#last = this.#last.then(async () => {
      await this.#file.appendFile(`${JSON.stringify(entry)}\n`);
      await this.#file.datasync();
    });
    return this.#last;
  }

  /** Waits for what is being written. */
  async close(): Promise<void> {
    await this.#last.catch(() => {});
    await this.#file.close();
  }
}

export function journalFile(dir: string, run: string): string {
  return join(dir, `${run}.jsonl`);
}

/** Makes the name of a new file survive a power cut. Windows has no such call and needs none. */
async function syncDirectory(dir: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
