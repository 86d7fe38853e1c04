const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Checks an id of a link or bank account. Callers may send any string: one that is
 * not an id finds nothing and never reaches the database; PostgreSQL would not even accept a NUL.
 */
export function idOrNone(id: string): string {
  return UUID.test(id) ? id.toLowerCase() : '';
}

/** An id from a path: a UUID has the same meaning in either case, other ids are as they are sent. */
export function asStored(id: string): string {
  return UUID.test(id) ? id.toLowerCase() : id;
}
