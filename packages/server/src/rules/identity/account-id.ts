const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * An id of a link or bank account as the database keeps it. Callers may send any string: one that is
 * not an id finds nothing, and the database never sees it; PostgreSQL would not even take a NUL.
 */
export function idOrNone(id: string): string {
  return UUID.test(id) ? id.toLowerCase() : '';
}
