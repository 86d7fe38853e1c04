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
    yield* items;
    if (cursor === null) return;
    if (seen.has(cursor)) throw new InvalidResponseError(200, 'a cursor came a second time');
    seen.add(cursor);
    place = { cursor };
  }
}
