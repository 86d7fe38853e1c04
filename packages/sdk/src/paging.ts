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

/** Iterates over a whole list. A list without an end is an error instead of an endless loop. */
export async function* eachItem<T>(
  read: (place: Place) => Promise<Page<T>>,
): AsyncGenerator<T, void, void> {
  const seen = new Set<string>();
  let empty = 0;
  for (let place: Place = {}; ; ) {
    const { items, nextCursor: cursor }: Page<T> = await read(place);
    empty = items.length > 0 ? 0 : empty + 1;
    // Only null ends a list: without a cursor, its first page would be read again.
    if (cursor === undefined || (cursor !== null && (seen.has(cursor) || empty === 100))) {
      throw new InvalidResponseError(
        200,
        'it has no next_cursor, or an earlier one, or 100 pages in a row are empty',
      );
    }
    yield* items;
    if (cursor === null) return;
    seen.add(cursor);
    place = { cursor };
  }
}
