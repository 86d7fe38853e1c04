import type { Cli } from '../cli.ts';
import type { Shape } from './shape.ts';

export interface FirstOptions {
  readonly limit: number;
  /** The command takes --all. */
  readonly all?: boolean;
}

/** The service's maximum page size. */
export const MAX_PAGE_SIZE = 100;
/** By how much the next command multiplies the limit. */
const NEXT_FACTOR = 5;

/** Lists the first items, and names the command that shows the others. */
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
  await cli.notes.next(cli.texts.output.more(limit), [cli.again(seeMore, ['-L', '--limit'])]);
}

/** One more than is shown tells whether there are more. */
export function pageSizeFor(limit: number): number {
  return Math.min(limit + 1, MAX_PAGE_SIZE);
}
