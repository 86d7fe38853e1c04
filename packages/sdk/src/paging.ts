import { InvalidResponseError } from './errors/transport-errors.ts';

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** Iterates over a whole list. A repeated cursor is an error instead of an endless loop. */
export async function* eachItem<T>(
  read: (cursor: string | null) => Promise<Page<T>>,
): AsyncGenerator<T, void, void> {
  const seen = new Set<string>();
  for (let cursor: string | null = null; ; ) {
    const page: Page<T> = await read(cursor);
    yield* page.items;
    cursor = page.nextCursor;
    if (cursor === null) return;
    if (seen.has(cursor)) throw new InvalidResponseError(200, 'a cursor came a second time');
    seen.add(cursor);
  }
}
