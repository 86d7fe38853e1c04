/** A text as it is compared in a search: in one case, and composed, since file names of macOS hold Korean decomposed. */
export function searchForm(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
