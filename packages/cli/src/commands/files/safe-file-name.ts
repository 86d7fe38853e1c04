import { safeLine } from '../../terminal-text.ts';

/** A name that a server gave, as a file of this directory: no path, nothing hidden, nothing a file system refuses. */
export function safeFileName(name: string): string {
  const plain = safeLine(name)
    .replaceAll(/[/\\:*?"<>|]/g, '_')
    .replace(/^[.\s]+/, '')
    .replace(/[.\s]+$/, '');
  return plain === '' ? 'file' : plain;
}
