import { safeLine } from '../../terminal-text.ts';

/** A server's name for a file, safe in this directory: no path, not hidden, nothing that a file system refuses. */
export function safeFileName(name: string): string {
  const plain = safeLine(name)
    .replaceAll(/[/\\:*?"<>|]/g, '_')
    .replace(/^[.\s]+/, '')
    .replace(/[.\s]+$/, '');
  return plain === '' ? 'file' : plain;
}

/** The same for files of one directory: with a number in front of a name that another one has. */
export function withSafeNames<File extends { readonly name: string }>(
  files: readonly File[],
): { readonly file: File; readonly name: string }[] {
  const taken = new Set<string>();
  return files.map((file) => {
    const plain = safeFileName(file.name);
    let own = plain;
    for (let number = 2; taken.has(asCompared(own)); number++) own = `${number}-${plain}`;
    taken.add(asCompared(own));
    return { file, name: own };
  });
}

/** Some file systems take names as equal that differ in case or in how their characters are composed. */
function asCompared(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
