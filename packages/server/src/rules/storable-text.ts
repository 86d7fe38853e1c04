/** A text of others as every database keeps it: PostgreSQL refuses a NUL, and half a surrogate pair has no bytes. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\ufffd');
}
