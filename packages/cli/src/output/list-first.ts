import type { Cli } from '../cli.ts';
import type { Shape } from './shape.ts';

export interface FirstOptions {
  readonly limit: number;
  /** The command takes --all. */
  readonly all?: boolean;
}

/** What the service answers at most. */
export const MAX_PAGE_SIZE = 100;
/** How many times as many the next command asks for. */
const NEXT_FACTOR = 5;

/** Lists the first so many, and says by which command the others are seen. */
export async function listFirst<T extends object>(
  cli: Cli,
  values: AsyncIterable<T>,
  shape: Shape,
  { limit, all = false }: FirstOptions,
): Promise<undefined> {
  let more = false;
  async function* first(): AsyncGenerator<T> {
    let left = limit;
    for await (const value of values) {
      more = left === 0;
      if (more) return;
      yield value;
      left -= 1;
    }
  }
  await cli.output.list(first(), shape);
  if (!more) return;
  const seeMore = all ? ['--all'] : ['--limit', String(limit * NEXT_FACTOR)];
  await cli.notes.next(cli.texts.output.more(limit), [cli.again(seeMore)]);
}

/** One more than is shown says whether there are more. */
export function pageSizeFor(limit: number): number {
  return Math.min(limit + 1, MAX_PAGE_SIZE);
}
