import { InvalidResponseError } from './errors/transport-errors.ts';

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** Where a page begins: part of its query, and empty for the first. */
export interface Place {
  readonly cursor?: string;
}

/** Iterates over a whole list. A repeated cursor is an error instead of an endless loop. */
export async function* eachItem<T>(
  read: (place: Place) => Promise<Page<T>>,
): AsyncGenerator<T, void, void> {
  const seen = new Set<string>();
  for (let place: Place = {}; ; ) {
    const { items, nextCursor: cursor }: Page<T> = await read(place);
    // Only null ends a list: without a cursor, its first page would be read again.
    if (cursor === undefined || (cursor !== null && seen.has(cursor))) {
      throw new InvalidResponseError(200, 'it has no next_cursor, or an earlier one');
    }
    yield* items;
    if (cursor === null) return;
    seen.add(cursor);
    place = { cursor };
  }
}
