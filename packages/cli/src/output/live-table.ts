import { type OutputStream, write } from '../io.ts';
import { widthOf } from './width.ts';

/** For terminals of unknown height. */
const DEFAULT_HEIGHT = 24;

/** Lines on a terminal that are repainted in place. The cursor stays visible, so a killed program leaves nothing behind. */
export class LiveTable {
  readonly #stdout: OutputStream;
  #painted: readonly string[] = [];

  constructor(stdout: OutputStream) {
    this.#stdout = stdout;
  }

  /** How many lines can be repainted: what has scrolled away is out of reach, and the cursor takes one. */
  get height(): number {
    return (this.#stdout.rows ?? DEFAULT_HEIGHT) - 1;
  }

  async paint(lines: readonly string[]): Promise<void> {
    const erase = this.#erase();
    this.#painted = lines.slice(0, this.height);
    await write(this.#stdout, `${erase}${this.#painted.join('\n')}\n`);
  }

  async clear(): Promise<void> {
    const erase = this.#erase();
    this.#painted = [];
    await write(this.#stdout, erase);
  }

  #erase(): string {
    const { columns = Number.POSITIVE_INFINITY } = this.#stdout;
    // A terminal that has become narrower since has wrapped them.
    const rowsOf = (line: string) => Math.max(1, Math.ceil(widthOf(line) / columns));
    const rows = this.#painted.reduce((sum, line) => sum + rowsOf(line), 0);
    return rows === 0 ? '' : `\u001b[${rows}A\r\u001b[J`;
  }
}
